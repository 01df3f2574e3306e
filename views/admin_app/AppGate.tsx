import { Button, ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";

/** What anyone but an administrator sees of the app. Who is signed in as somebody else is signed out on the way. */
export const AppGate = ({ returnTo, signedIn }: { returnTo: string; signedIn: boolean }) => (
  <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-20 text-center md:py-28">
    <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-soft">
      <Icon name="shield" className="size-6" />
    </span>
    <h1 className="text-title font-semibold">Admin Access Required</h1>
    <p className="text-soft">
      {signedIn ? "This account is not an administrator’s. Logging in as one signs you out first." : "Sign in with an administrator’s account to open the app."}
    </p>
    {signedIn ? (
      <form method="post" action="/sign-out" className="flex flex-wrap justify-center gap-2">
        <input type="hidden" name="returnTo" value={returnTo} />
        <Button type="submit">Login as Admin</Button>
        <ButtonLink href="/dashboard" look="secondary">
          Back to the dashboard
        </ButtonLink>
      </form>
    ) : (
      <ButtonLink href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}>Login as Admin</ButtonLink>
    )}
  </div>
);
