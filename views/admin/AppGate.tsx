import { Button, ButtonLink } from "../ui/Button";
import { AccessRequired } from "../identity/AccessRequired";

/** What anyone but an administrator sees of the app. Who is signed in as somebody else is signed out on the way. */
export const AppGate = ({ returnTo, signedIn }: { returnTo: string; signedIn: boolean }) => (
  <AccessRequired
    title="Admin Access Required"
    words={
      signedIn ? "This account is not an administrator’s. Logging in as one signs you out first." : "Sign in with an administrator’s account to open the app."
    }
  >
    {signedIn ? (
      <form method="post" action="/sign-out" className="flex flex-wrap justify-center gap-2">
        <input type="hidden" name="returnTo" value={returnTo} />
        <Button type="submit">Login as Admin</Button>
        <ButtonLink href="/dashboard" variant="secondary">
          Back to the dashboard
        </ButtonLink>
      </form>
    ) : (
      <ButtonLink href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}>Login as Admin</ButtonLink>
    )}
  </AccessRequired>
);
