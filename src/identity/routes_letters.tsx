import { fit } from "../lib/fit";
import { found, type Refusal } from "../lib/refusal";
import { EmailPage, type EmailSaid } from "../../views/identity/EmailPage";
import { ForgotDonePage, ForgotPage, LinkOverPage, PressedPage, PressPage, ResetPage } from "../../views/identity/LetterPages";
import { PAGE_OF, type Purpose } from "../mail/rules";
import { leavingOf, linkOwner } from "../mail/queries";
import type { AppContext, Me } from "../platform/app_context";
import { type RequestContext, Routes, statusOf } from "../platform/http/routes";
import { refusedForm } from "../platform/http/refused";
import type { Page } from "../platform/page/page";
import * as commands from "./commands_letters";
import { findUser } from "./queries";
import { twoFactorOf } from "./queries_two_factor";
import * as calls from "./schema_letters";

/** The routes of letters: what asks for one, and what the links in them lead to. All of it works without scripts. */

const TOPICS = { trades: "corrections", margin: "margin", money: "deposits and withdrawals", support: "support tickets", statements: "statements" } as const;

/** The pages that show one button. Each: what it says before and after, and what it does. */
const PRESSES = (app: AppContext) =>
  ({
    verify: {
      title: "Verify your email address",
      words: "Press the button to confirm that this address is yours.",
      label: "This address is mine",
      press: async (context: RequestContext, token: string) => {
        await commands.verifyEmail(app, context, token);
        return {
          title: "Your address is verified",
          words: "Letters about your account go there from now on.",
          next: { href: "/dashboard", label: "Go to your dashboard" },
        };
      },
    },
    take_back: {
      title: "Take the change back",
      words: "Your account gets this address back, and all sessions end. A letter follows by which you choose a new password.",
      label: "Take it back",
      press: async (context: RequestContext, token: string) => {
        await commands.takeBackEmail(app, context, token);
        return {
          title: "Your address is back",
          words: "All sessions have ended. A letter is on its way by which you choose a new password.",
          next: { href: "/login", label: "Sign in" },
        };
      },
    },
    freeze: {
      title: "Freeze your account",
      words:
        "If somebody else is at work in your account, this ends all sessions and blocks withdrawals, changes of address and sign-ins from new devices, until you choose a new password or our staff let you in. Open positions and their stops stay as they are.",
      label: "This was not me: freeze it",
      danger: true,
      press: async (context: RequestContext, token: string) => {
        await commands.freezeAccount(app, context, token);
        return {
          title: "Your account is frozen",
          words: "All sessions have ended and our staff were told. A letter is on its way by which you choose a new password.",
          next: { href: "/forgot-password", label: "Ask for another letter" },
        };
      },
    },
    unsubscribe: {
      title: "No more letters of this kind",
      words: "Letters about your account's security are always sent.",
      label: "Send me no more",
      press: async (_: RequestContext, token: string) => {
        const topic = await commands.leaveTopic(app.sql, token);
        return { title: "Done", words: `You get no more letters about ${TOPICS[topic]}.`, next: { href: "/profile#notifications", label: "All choices" } };
      },
    },
  }) satisfies Partial<Record<Purpose, Pressable>>;

type Pressable = {
  title: string;
  words: string;
  label: string;
  danger?: boolean;
  press: (context: RequestContext, token: string) => Promise<{ title: string; words: string; next?: { href: string; label: string } }>;
};

const over = (): Page => ({ title: "This link does nothing any more", status: 404, noindex: true, body: <LinkOverPage message={commands.OVER} /> });

export function letterRoutes(app: AppContext): Routes {
  const { sql, config } = app;
  const sends = config.smtp !== null;
  const routes = new Routes(app, import.meta.path)
    .open(calls.forgot, ({ body, context }) => commands.forgotPassword(app, context, body.email))
    .open(calls.reset, ({ body, context }) => commands.resetPassword(app, context, body.token, body.password))
    .open(calls.verifyEmail, async ({ body, context }) => ({ user: await commands.verifyEmail(app, context, body.token) }))
    .open(calls.takeBackEmail, ({ body, context }) => commands.takeBackEmail(app, context, body.token))
    .open(calls.freeze, ({ body, context }) => commands.freezeAccount(app, context, body.token))
    .user(calls.sendVerification, ({ me }) => commands.sendVerification(app, me))
    .user(calls.changeEmail, ({ me, body, context }) => commands.changeEmail(app, context, me, body))
    .page("/forgot-password", () => ({
      title: "Forgot your password?",
      noindex: true,
      body: <ForgotPage sends={sends} />,
      keep: { forMs: Number.POSITIVE_INFINITY },
    }))
    .form("/forgot-password", async ({ context, form }) => {
      const page = (status: number, errors: Record<string, string>, message?: string): Page => ({
        title: "Forgot your password?",
        status,
        noindex: true,
        body: <ForgotPage email={form.email ?? ""} sends={sends} errors={errors} {...(message ? { message } : {})} />,
      });
      const asked = fit(calls.forgotBody, form);
      if (!asked.ok) return page(400, asked.fields);
      try {
        await commands.forgotPassword(app, context, asked.value.email);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return page(statusOf(refusal), {}, refusal.message);
      }
      return { title: "Look into your mailbox", noindex: true, body: <ForgotDonePage email={asked.value.email} /> };
    })
    .page("/reset-password", async ({ context }) => (await resetPage(tokenOf(context))) ?? over())
    .form("/reset-password", async ({ context, form }) => {
      const token = form.token ?? "";
      const asked = fit(calls.resetBody, form);
      if (!asked.ok) return (await resetPage(token, 400, asked.fields)) ?? over();
      try {
        await commands.resetPassword(app, context, token, asked.value.password);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        const { fields, message } = refusal;
        return (isOver(refusal) ? null : await resetPage(token, statusOf(refusal), fields ?? {}, fields ? undefined : message)) ?? over();
      }
      return pressed({
        title: "Your password is changed",
        words: "All sessions have ended. Sign in with the new one.",
        next: { href: "/login", label: "Sign in" },
      });
    })
    .userPage("/email", async ({ me }) => emailPage(me))
    .userForm("/email", { at: () => "/email", page: ({ me }) => emailPage(me) }, async ({ context, form, me }) => {
      const step = form.step === "send" ? "send" : "change";
      try {
        if (step === "send") {
          await commands.sendVerification(app, me);
          return await emailPage(me, { done: "A letter is on its way." });
        }
        const asked = fit(calls.emailBody, form);
        if (!asked.ok) return await emailPage(me, { status: 400, said: { step, errors: asked.fields, email: form.email ?? "" } });
        const { pending } = await commands.changeEmail(app, context, me, asked.value);
        return await emailPage(me, {
          done: pending ? `A letter is on its way to ${asked.value.email}. The address counts once you open its link.` : "Your address is changed.",
        });
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        const { fields, message } = refusal;
        return emailPage(me, { status: statusOf(refusal), said: { step, errors: fields ?? {}, email: form.email ?? "", ...(fields ? {} : { message }) } });
      }
    });

  const resetPage = async (token: string, status?: number, errors: Record<string, string> = {}, message?: string): Promise<Page | null> => {
    const person = await linkOwner(sql, token, "reset");
    const owner = person && (await findUser(sql, person));
    return owner
      ? {
          title: "Choose a new password",
          noindex: true,
          ...(status ? { status } : {}),
          body: <ResetPage token={token} email={owner.email} errors={errors} {...(message ? { message } : {})} />,
        }
      : null;
  };
  const emailPage = async (me: Me, { status, ...rest }: { status?: number; done?: string; said?: EmailSaid } = {}): Promise<Page> => {
    const [user, { since }] = await Promise.all([findUser(sql, me.id), twoFactorOf(sql, me.id)]);
    const { email, isEmailVerified: verified } = found(user);
    return {
      title: "Email address",
      noindex: true,
      ...(status ? { status } : {}),
      body: <EmailPage {...{ email, verified, sends }} asksCode={since !== null} {...rest} />,
    };
  };

  const presses = PRESSES(app);
  for (const purpose of Object.keys(presses) as (keyof typeof presses)[]) {
    const { press, ...words }: Pressable = presses[purpose];
    const action = PAGE_OF[purpose];
    const is = async (token: string) => (purpose === "unsubscribe" ? await leavingOf(sql, token) : await linkOwner(sql, token, purpose)) !== null;
    routes
      .page(action, async ({ context }) => {
        const token = tokenOf(context);
        return (await is(token)) ? { title: words.title, noindex: true, body: <PressPage {...words} action={action} token={token} /> } : over();
      })
      .form(action, async ({ context, form }) => {
        // Mail programs that leave a list by themselves post to the link as it is (RFC 8058).
        const token = form.token ?? tokenOf(context);
        try {
          return pressed(await press(context, token));
        } catch (error) {
          const refusal = refusedForm(app, context, error);
          if (isOver(refusal)) return over();
          return {
            title: words.title,
            noindex: true,
            status: statusOf(refusal),
            body: <PressPage {...words} action={action} token={token} message={refusal.message} />,
          };
        }
      });
  }
  return routes;
}

const tokenOf = ({ url }: RequestContext): string => url.searchParams.get("token") ?? "";
const isOver = ({ code }: Refusal) => code === "link_over";
const pressed = (done: { title: string; words: string; next?: { href: string; label: string } }): Page => ({
  title: done.title,
  noindex: true,
  body: <PressedPage {...done} />,
});
