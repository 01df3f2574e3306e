import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** What an administrator sees of the back office who must set up a second factor first. */
export const SecondFactorGate = () => (
  <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-20 text-center md:py-28">
    <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-soft">
      <Icon name="shield" className="size-6" />
    </span>
    <h1 className="text-title font-semibold">Two-Factor Sign-In Required</h1>
    <p className="text-soft">
      Administrators need a code from an authenticator app here, on top of the password. It takes two minutes; then the back office opens.
    </p>
    <div className="flex flex-wrap justify-center gap-2">
      <ButtonLink href="/two-factor">Set it up</ButtonLink>
      <ButtonLink href="/dashboard" look="secondary">
        Back to the dashboard
      </ButtonLink>
    </div>
  </div>
);
