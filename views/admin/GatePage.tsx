import AdminGate from "../../islands/AdminGate";
import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";

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
    <div className="mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-20 text-center md:py-28">
      <span className="inline-flex size-12 items-center justify-center rounded-full bg-sunken text-soft">
        <Icon name="shield" className="size-6" />
      </span>
      <h1 className="text-title font-semibold">Admin Access Required</h1>
      <p className="text-soft">
        {signedIn
          ? "This account is not an administrator's. Sign out first, then sign in with one that is."
          : "Sign in with an administrator's account to open the back office."}
      </p>
      {signedIn ? (
        <div className="flex flex-wrap justify-center gap-2">
          <ButtonLink href="/dashboard">Back to the dashboard</ButtonLink>
          <ButtonLink href="/api/auth/logout" look="secondary">
            Sign out
          </ButtonLink>
        </div>
      ) : (
        <ButtonLink href={`/api/login?returnTo=${encodeURIComponent(returnTo)}`}>Login as Admin</ButtonLink>
      )}
      {leads && !signedIn ? <AdminGate /> : null}
    </div>
  );
}
