import AdminGate from "../../islands/admin/AdminGate";
import { ButtonLink } from "../ui/Button";
import { AccessRequired } from "../identity/AccessRequired";

type Props = {
  /** Where an administrator comes back to after signing in. */
  returnTo: string;
  signedIn: boolean;
  /** Visitors are sent to sign in without being asked. */
  leads: boolean;
};

/** What anyone but an administrator sees of the back office: that it is one, and no more. */
export function GatePage({ returnTo, signedIn, leads }: Props) {
  return (
    <AccessRequired
      title="Admin Access Required"
      words={
        signedIn
          ? "This account is not an administrator's. Sign out first, then sign in with one that is."
          : "Sign in with an administrator's account to open the back office."
      }
    >
      {signedIn ? (
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink href="/dashboard">Back to the dashboard</ButtonLink>
          <ButtonLink href="/api/auth/logout" variant="secondary">
            Sign out
          </ButtonLink>
        </div>
      ) : (
        <ButtonLink href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}>Login as Admin</ButtonLink>
      )}
      {leads && !signedIn ? <AdminGate /> : null}
    </AccessRequired>
  );
}
