import { Button } from "../ui/Button";
import { Icon, type IconName } from "../ui/Icon";
import { Entrance } from "./Entrance";
import { Notice } from "../ui/States";
import { LoginForm } from "./LoginForm";

type Props = {
  values?: Record<string, string>;
  errors?: Record<string, string>;
  message?: string;
  asksCode?: boolean;
  returnTo?: string;
  /** A session was open until a moment ago. */ ended?: boolean;
  /** A form came without one, and nothing was done. */ undone?: boolean;
  /** What that form said, to be carried back to it; null where it is not kept. */ held?: string | null;
};

const REASONS: { icon: IconName; text: string }[] = [
  { icon: "receipt", text: "Every fill keeps its receipt: the quote, its age, the spread and the slippage." },
  { icon: "shield", text: "Your balance can't fall below zero. If the market gaps, the house covers the rest." },
  { icon: "candles", text: "Forex and crypto on live charts, with stop loss and take profit on every order." },
];

const HELD = "What you sent was not done. Sign in, and you are back at the form with what you wrote in it; passwords are not kept.";
const LOST = "What you sent was not done, and is not kept. Sign in and do it again.";

/** `message` is the banner after a post without scripts. */
export function LoginPage({ values = {}, errors = {}, message, asksCode = false, returnTo = "/dashboard", ended, undone, held = null }: Props) {
  return (
    <Entrance
      title="Welcome back"
      lead="Sign in to your accounts and open positions."
      aside={
        <>
          <p className="max-w-[24ch] font-serif text-title">The market moved while you were away. See where you stand.</p>
          <ul className="mt-8 flex flex-col gap-5">
            {REASONS.map(({ icon, text }) => (
              <li key={icon} className="flex gap-4 text-[0.9375rem] leading-6 text-soft">
                <Icon name={icon} className="mt-0.5 size-5 text-accent" />
                {text}
              </li>
            ))}
          </ul>
        </>
      }
    >
      {undone ? (
        <Notice className="mb-5" kind="warning" title={ended ? "Your session has ended." : "You are not signed in."}>
          {held === null ? LOST : HELD}
        </Notice>
      ) : ended ? (
        <Notice className="mb-5" title="Your session has ended.">
          Sign in to go on where you were. <span className="js-only">What you had written there is kept in this tab.</span>
        </Notice>
      ) : null}
      <LoginForm values={withoutPassword(values)} errors={errors} message={message ?? null} asksCode={asksCode} {...{ returnTo, held }} />
      {/* The page's script shows it where the browser can. */}
      <Button variant="secondary" size="large" wide hidden data-passkey="" className="mt-4">
        Use a passkey
      </Button>
      <p className="mt-4 text-[0.9375rem]">
        <a href="/forgot-password" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
          Forgot your password?
        </a>
      </p>
      <p className="mt-4 text-[0.9375rem]">
        New here?{" "}
        <a href="/register" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
          Sign up
        </a>
      </p>
    </Entrance>
  );
}

const withoutPassword = ({ email, code }: Record<string, string>) => ({ ...(email === undefined ? {} : { email }), ...(code ? { code } : {}) });
