import { useState } from "react";
import { ApiError } from "../wire/api";
import { tellRefusal } from "../wire/attempt";
import { toast } from "../wire/toasts";
import { type PushWay, pushTrouble, testPush } from "./push_device";

/** What the switches of push on this device do, one thing at a time, and how they tell what went wrong. */
export function usePushWork() {
  const [busy, setBusy] = useState(false);
  const work = async (action: () => Promise<void>) => {
    setBusy(true);
    try {
      await action();
    } catch (error) {
      if (error instanceof ApiError) tellRefusal("Error", error);
      else toast({ title: "Error", description: pushTrouble(error), variant: "destructive" });
    }
    setBusy(false);
  };
  const test = (way: PushWay) =>
    work(async () => {
      const delivered = await testPush(way);
      toast(
        delivered
          ? { title: "Test sent", description: "It should appear on this device in a moment." }
          : { title: "Test failed", description: "The push service did not take the message. Please try again later.", variant: "destructive" },
      );
    });
  return { busy, work, test };
}

/** Says that this device is told from now on. */
export const tellEnabled = () => toast({ title: "Push notifications enabled", description: "This device is told even while no page is open." });
