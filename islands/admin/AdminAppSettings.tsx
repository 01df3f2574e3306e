import { useEffect, useState } from "react";
import { alertKinds } from "../../src/notifications/rules";
import type { NotificationType } from "../../src/notifications/schema";
import { KIND_WORDS } from "../../views/admin/AppSettings";
import { PushPanel } from "../../views/notifications/PushPanel";
import { Panel } from "../../views/ui/Card";
import { chooseKinds, chosenKinds } from "../notifications/alert_choice";
import { island } from "../runtime/island";
import { disablePush, enablePush, pushStanding, type PushStanding, renewPush, staffPush } from "../notifications/push_device";
import { tellEnabled, usePushWork } from "../notifications/push_work";

/** What comes to this device, and how. */
export function AdminAppSettings() {
  const [standing, setStanding] = useState<PushStanding | null>(null);
  const [kinds, setKinds] = useState<NotificationType[] | null>(null);
  const { busy, work, test } = usePushWork();
  useEffect(() => {
    let here = true;
    void pushStanding().then((found) => {
      if (!here) return;
      setStanding(found);
      setKinds(chosenKinds());
    });
    return () => {
      here = false;
    };
  }, []);

  const enable = () =>
    work(async () => {
      const now = await enablePush(staffPush(kinds ?? chosenKinds()));
      setStanding(now);
      if (now === "enabled") tellEnabled();
    });
  const disable = () => work(async () => setStanding(await disablePush(staffPush([]))));
  const choose = (kind: NotificationType, on: boolean) => {
    const next = alertKinds.filter((each) => (each === kind ? on : (kinds ?? chosenKinds()).includes(each)));
    setKinds(next);
    chooseKinds(next);
    void work(() => renewPush(staffPush(next)));
  };

  return (
    <div className="flex flex-col gap-4">
      <PushPanel standing={standing} busy={busy} onEnable={() => void enable()} onDisable={() => void disable()} onTest={() => void test(staffPush([]))} />
      <Panel title="What this device is told">
        <p className="mb-3 text-table text-soft">For push, and for alerts of an open page that nobody looks at. Lists and the bell always hold everything.</p>
        <fieldset className="grid gap-x-6 sm:grid-cols-2" disabled={kinds === null}>
          <legend className="sr-only">Kinds</legend>
          {alertKinds.map((kind) => (
            <label key={kind} className="flex min-h-11 items-center gap-3">
              <input
                type="checkbox"
                className="size-5 accent-[var(--c-accent)]"
                checked={kinds?.includes(kind) ?? kind !== "visitor"}
                onChange={({ currentTarget: { checked } }) => choose(kind, checked)}
              />
              {KIND_WORDS[kind]}
            </label>
          ))}
        </fieldset>
      </Panel>
    </div>
  );
}

export default island("AdminAppSettings", AdminAppSettings);
