import type { TwoFactorState } from "../../src/identity/schema_two_factor";
import { Badge } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";

/** Whether a code is asked for at sign-in, and the way to change it. */
export const TwoFactorCard = ({ twoFactor: { since, recoveryCodes } }: { twoFactor: TwoFactorState }) => (
  <Panel title="Two-factor sign-in" id="two-factor" action={since === null ? <Badge tone="secondary">Off</Badge> : <Badge>On</Badge>}>
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="min-w-0 flex-1 basis-60 text-soft">
        {since === null
          ? "A code from an app on your phone, on top of your password."
          : `Signing in takes a code from your app. ${recoveryCodes} of 10 recovery codes are left.`}
      </p>
      <ButtonLink href="/two-factor" variant="secondary">
        {since === null ? "Set up" : "Manage"}
      </ButtonLink>
    </div>
  </Panel>
);
