import type { ReactNode } from "react";
import { AboutPage } from "../../views/content/AboutPage";
import { PaymentPolicyPage } from "../../views/content/PaymentPolicyPage";
import { PrivacyPage } from "../../views/content/PrivacyPage";
import { TermsPage } from "../../views/content/TermsPage";
import { TextPage as TextView } from "../../views/content/TextPage";
import { safeReturn } from "../identity/rules";
import { notFound } from "../lib/refusal";
import { SECOND } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { refusalOf } from "../platform/database/db";
import { lastKnown } from "../platform/database/last_known";
import { redirect, type RequestContext, Routes } from "../platform/http/routes";
import type { Page } from "../platform/page/page";
import { accept } from "../texts/commands";
import { textNow, textOf } from "../texts/queries";
import { shownClaims } from "../texts/queries_claims";
import { acceptTerms, type TextPage } from "../texts/schema";

/** A new version is seen after so long at most. */
export const TEXT_KEPT = { forMs: 10 * SECOND };

/** What stands above an operator's own text. */
type Above = { title: string; lead: string; description: string };

/** The pages whose text may be the operator's own: the version that holds, an earlier one by `?version=`, else the program's. */
export function textRoutes(app: AppContext): Routes {
  const { config, sql } = app;
  const demonstration = config.siteMode === "demo";
  const claims = lastKnown((_now: "now") => shownClaims(sql));
  const newest = lastKnown((page: TextPage) => textNow(sql, page));

  async function shown(page: TextPage, { url }: RequestContext, { title, lead, description }: Above, own: ReactNode): Promise<Page> {
    const asked = url.searchParams.get("version");
    const now = await newest(page);
    const text = asked === null || Number(asked) === now?.version ? now : await earlier(page, asked);
    const newer = text && text.version !== now?.version ? `/${page}` : null;
    return {
      title,
      description,
      body: text ? <TextView {...{ title, lead, text, newer }} /> : own,
      ...(newer === null ? { keep: TEXT_KEPT } : { noindex: true }),
    };
  }
  async function earlier(page: TextPage, asked: string) {
    const text = /^\d{1,6}$/.test(asked) ? await textOf(sql, page, Number(asked)) : null;
    if (!text) throw notFound();
    return text;
  }

  return new Routes(app, import.meta.path)
    .page("/terms", ({ context }) =>
      shown(
        "terms",
        context,
        {
          title: "Terms of service",
          lead: `The agreement between you and ${app.brand.name} when you open and use an account.`,
          description: "The terms under which accounts are opened and held, orders are filled, and money is deposited and withdrawn.",
        },
        <TermsPage brand={app.brand.name} demonstration={demonstration} />,
      ),
    )
    .page("/privacy", ({ context }) =>
      shown(
        "privacy",
        context,
        {
          title: "Privacy policy",
          lead: `What ${app.brand.name} keeps about you, why, and for how long.`,
          description: "Which data about you is kept, why and for how long, who sees it, and how you can have it corrected or deleted.",
        },
        <PrivacyPage brand={app.brand.name} />,
      ),
    )
    .page("/payment-policy", ({ context }) =>
      shown(
        "payment-policy",
        context,
        {
          title: "Payment policy",
          lead: "How money comes in and goes out, what it takes and what it costs.",
          description: "Payment methods, minimum deposits and withdrawals, processing times and fees.",
        },
        <PaymentPolicyPage brand={app.brand.name} />,
      ),
    )
    .page("/about", async ({ context }) =>
      shown(
        "about",
        context,
        {
          title: `About ${app.brand.name}`,
          lead: `Who ${app.brand.name} is.`,
          description: "Our mission, core values, leadership and achievements, and how it came about from 2019 to 2023.",
        },
        <AboutPage brand={app.brand.name} demonstration={demonstration} claims={await claims("now")} />,
      ),
    )
    .user(acceptTerms, ({ me, body }) => accept(app, me, body.version))
    .userForm("/accept-terms", { at: () => "/terms", page: () => redirect("/terms", 303) }, async ({ me, form }) => {
      // Who read a version that was replaced meanwhile reads the newer one.
      const version = /^\d{1,6}$/.test(form.version ?? "") ? Number(form.version) : 0;
      const isTaken = await accept(app, me, version).then(
        () => true,
        (error: unknown) => {
          if (refusalOf(error)?.code === "conflict") return false;
          throw error;
        },
      );
      return redirect(isTaken ? safeReturn(form.returnTo) : "/terms", 303);
    });
}
