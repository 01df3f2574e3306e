import { isWaiting, type WaitingSignature } from "../../src/identity/schema_signatures";
import { toast } from "./toasts";

/** Says, where a deed was not done, that it waits for a second signature. Whether it does. */
export function tellWaiting<T extends object>(done: T | WaitingSignature): done is WaitingSignature {
  if (!isWaiting(done)) return false;
  toast({ title: "Waiting for a second signature", description: `${done.title}. Somebody else signs it under Settings, Signatures, within a day.` });
  return true;
}
