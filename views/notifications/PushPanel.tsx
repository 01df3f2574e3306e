import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Skeleton } from "../ui/States";

type Props = {
  /** What it is for, where it is not on. */
  purpose?: string;
  /** Null until the browser has said. */
  standing: "enabled" | "disabled" | "denied" | "unsupported" | null;
  busy: boolean;
  onEnable: () => void;
  onDisable: () => void;
  onTest: () => void;
};

const TEXT = {
  enabled: "This device is told even while no page is open. Signing out here ends it.",
  disabled: "Be told on this device, even while no page is open.",
  denied: "This browser blocks notifications of this site. Allow them in its settings for this site, then load the page again.",
  unsupported: "This browser can’t receive push here. It needs https, and on an iPhone the app installed to the home screen.",
} as const;

/** Push on this device: how it stands, and what to do about it. */
export const PushPanel = ({ purpose, standing, busy, onEnable, onDisable, onTest }: Props) => (
  <Panel
    id="push"
    title="Push notifications"
    action={standing === null ? null : <Badge tone={standing === "enabled" ? "gain" : "secondary"}>{standing === "enabled" ? "Enabled" : "Disabled"}</Badge>}
  >
    {standing === null ? (
      <Skeleton className="h-10 w-full" />
    ) : (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-soft">{standing === "disabled" ? (purpose ?? TEXT.disabled) : TEXT[standing]}</p>
        <div className="flex flex-wrap gap-2">
          {standing === "disabled" ? (
            <Button disabled={busy} onClick={onEnable}>
              {busy ? "Enabling..." : "Enable"}
            </Button>
          ) : null}
          {standing === "enabled" ? (
            <>
              <Button variant="secondary" disabled={busy} onClick={onTest}>
                Send test
              </Button>
              <Button variant="quiet" disabled={busy} onClick={onDisable}>
                Disable
              </Button>
            </>
          ) : null}
        </div>
      </div>
    )}
  </Panel>
);
