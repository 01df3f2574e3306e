import { Button } from "../ui/Button";

/** Shown where another site sent somebody to sign out: only the person's own press does it. */
export const SignOutPage = () => (
  <form method="post" action="/sign-out">
    <h1>Sign out?</h1>
    <p>You came here from another site. Sign out only if that is what you want.</p>
    <Button type="submit">Sign out</Button>
  </form>
);
