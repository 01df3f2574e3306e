import { useEffect, useState } from "react";
import { alertKinds } from "../src/notifications/rules";
import type { NotificationType } from "../src/notifications/schema";
import { KIND_WORDS, PushPanel } from "../views/admin_app/AppSettings";
import { Panel } from "../views/ui/Card";
import { chooseKinds, chosenKinds } from "./lib/alert_choice";
import { ApiError } from "./lib/api";
import { tellRefusal } from "./lib/deed";
import { island } from "./lib/island";
import { disablePush, enablePush, pushStanding, type PushStanding, renewPush, testPush } from "./lib/push_device";
import { toast } from "./lib/toasts";

/** What comes to this device, and how. */
export function AdminAppSettings() {
  const [standing, setStanding] = useState<PushStanding | null>(null);
  const [kinds, setKinds] = useState<NotificationType[] | null>(null);
  const [busy, setBusy] = useState(false);
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

  const work = async (deed: () => Promise<void>) => {
    setBusy(true);
    try {
      await deed();
    } catch (error) {
      if (error instanceof ApiError) tellRefusal("Error", error);
      else toast({ title: "Error", description: pushTrouble(error), variant: "destructive" });
    }
    setBusy(false);
  };
  const enable = () =>
    work(async () => {
      const now = await enablePush(kinds ?? chosenKinds());
      setStanding(now);
      if (now === "enabled") toast({ title: "Push notifications enabled", description: "This device is told even while no page is open." });
    });
  const disable = () => work(async () => setStanding(await disablePush()));
  const test = () =>
    work(async () => {
      const delivered = await testPush();
      toast(
        delivered
          ? { title: "Test sent", description: "It should appear on this device in a moment." }
          : { title: "Test failed", description: "The push service did not take the message. Please try again later.", variant: "destructive" },
      );
    });
  const choose = (kind: NotificationType, on: boolean) => {
    const next = alertKinds.filter((each) => (each === kind ? on : (kinds ?? chosenKinds()).includes(each)));
    setKinds(next);
    chooseKinds(next);
    void work(() => renewPush(next));
  };

  return (
    <div className="flex flex-col gap-4">
      <PushPanel standing={standing} busy={busy} onEnable={() => void enable()} onDisable={() => void disable()} onTest={() => void test()} />
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

/** What the browser says when it does not subscribe, in words that help. */
function pushTrouble(error: unknown): string {
  console.error("push could not be set up", error);
  return "This browser could not reach its push service. Check its settings and your connection, then try again.";
}

export default island("AdminAppSettings", AdminAppSettings);
