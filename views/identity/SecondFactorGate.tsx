import { ButtonLink } from "../ui/Button";
import { AccessRequired } from "./AccessRequired";

/** What an administrator sees of the back office who must set up a second factor first. */
export const SecondFactorGate = () => (
  <AccessRequired
    title="Two-Factor Sign-In Required"
    words="Administrators need a code from an authenticator app here on top of the password, or a passkey. It takes two minutes; then the back office opens."
  >
    <div className="flex flex-wrap justify-center gap-2">
      <ButtonLink href="/two-factor">Set it up</ButtonLink>
      <ButtonLink href="/dashboard" variant="secondary">
        Back to the dashboard
      </ButtonLink>
    </div>
  </AccessRequired>
);
