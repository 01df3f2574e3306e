import { EmptyState } from "../../views/ui/States";
import { OpenDemoAccount } from "../accounts/OpenDemoAccount";

/** In the place of an order panel, for a person who has no account. */
export default function NoAccount() {
  return (
    <section aria-label="Execute Trade" className="rounded-card border border-line bg-surface">
      <EmptyState icon="wallet" title="You have no trading account yet" action={<OpenDemoAccount />}>
        A demo account comes with $10,000 of virtual money.
      </EmptyState>
    </section>
  );
}
