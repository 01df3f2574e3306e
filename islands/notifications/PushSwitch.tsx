import { useEffect, useState } from "react";
import { PushPanel } from "../../views/notifications/PushPanel";
import { island } from "../runtime/island";
import { disablePush, enablePush, ownPush, pushStanding, type PushStanding, renewPush } from "./push_device";
import { tellEnabled, usePushWork } from "./push_work";

/** Whose devices this browser is: who signs in here after somebody else chooses anew. */
const CHOICE = "push-own";
const chosenBy = () => {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null; // Where nothing can be kept, the choice is made anew on each visit.
  }
};
function choose(person: string | null) {
  try {
    if (person) localStorage.setItem(CHOICE, person);
    else localStorage.removeItem(CHOICE);
  } catch {
    // It then lasts until this page is left, and the server knows it all the same.
  }
}

const PURPOSE = "Be told on this device when a price alert fires, even while no page is open. The browser asks once whether you allow it.";

/** Whether this device is told what concerns the person. The browser's permission is asked for by the press alone. */
export function PushSwitch({ person }: { person: string }) {
  const [standing, setStanding] = useState<PushStanding | null>(null);
  const { busy, work, test } = usePushWork();
  useEffect(() => {
    let here = true;
    const look = async () => {
      const found = await pushStanding();
      const own = found === "enabled" && chosenBy() === person;
      // The session may be another than the one that chose.
      if (own) await renewPush(ownPush);
      return found === "enabled" && !own ? "disabled" : found;
    };
    look().then(
      (found) => here && setStanding(found),
      () => here && setStanding("disabled"),
    );
    return () => {
      here = false;
    };
  }, [person]);

  const enable = () =>
    work(async () => {
      const now = await enablePush(ownPush);
      if (now === "enabled") {
        choose(person);
        tellEnabled();
      }
      setStanding(now);
    });
  const disable = () =>
    work(async () => {
      setStanding(await disablePush(ownPush));
      choose(null);
    });
  return (
    <PushPanel
      purpose={PURPOSE}
      standing={standing}
      busy={busy}
      onEnable={() => void enable()}
      onDisable={() => void disable()}
      onTest={() => void test(ownPush)}
    />
  );
}

export default island("PushSwitch", PushSwitch, { when: "idle" });
