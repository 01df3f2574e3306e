import { PageIcon, type PageIconName } from "../ui/PageIcon";
import { Notice } from "../ui/States";
import { Entrance } from "./Entrance";
import { RegisterForm } from "./RegisterForm";

type Props = { values?: Record<string, string>; errors?: Record<string, string>; message?: string; returnTo?: string };

const BENEFITS: { icon: PageIconName; title: string; text: string }[] = [
  {
    icon: "bolt",
    title: "Quick setup",
    text: "A demo account with $10,000 of virtual money is open the moment you register. Your first trade takes less than a minute.",
  },
  { icon: "gift", title: "Welcome bonus", text: "Your first deposit can earn a bonus on top, and a referral code brings bonus rewards too." },
  { icon: "lifebuoy", title: "Expert support 24/7", text: "People who trade answer your questions, at any hour and in plain words." },
];

/** Values never hold the password: it is typed again. */
export function RegisterPage({ values = {}, errors = {}, message, returnTo = "/dashboard" }: Props) {
  return (
    <Entrance
      title="Create your account"
      lead="Practise with virtual money at once; trade live when you are ready."
      aside={
        <ul className="flex flex-col gap-8">
          {BENEFITS.map(({ icon, title, text }) => (
            <li key={title} className="flex gap-4">
              <PageIcon name={icon} className="mt-1 size-6 text-accent" />
              <div>
                <h2 className="text-base font-semibold">{title}</h2>
                <p className="mt-1 text-[0.9375rem] leading-6 text-soft">{text}</p>
              </div>
            </li>
          ))}
        </ul>
      }
    >
      {message ? (
        <Notice kind="error" title="Registration Failed" className="mb-6">
          {message}
        </Notice>
      ) : null}
      <RegisterForm values={withoutPassword(values)} errors={errors} returnTo={returnTo} />
      <p className="mt-5 text-table text-soft">
        By creating an account you agree to our{" "}
        <a href="/terms" className="text-accent underline underline-offset-2">
          terms of service
        </a>{" "}
        and our{" "}
        <a href="/privacy" className="text-accent underline underline-offset-2">
          privacy policy
        </a>
        .
      </p>
      <p className="mt-8 text-[0.9375rem]">
        Already have an account?{" "}
        <a href="/login" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
          Sign In
        </a>
      </p>
    </Entrance>
  );
}

const withoutPassword = ({ firstName, lastName, email, referralCode }: Record<string, string>) => ({ firstName, lastName, email, referralCode });
