import { type ChangeEvent, useState } from "react";
import { type Deposit, uploadProof } from "../../src/funding/schema";
import { addressOf, ApiError, sendFile } from "./api";
import { toast } from "./toasts";

const MOST_BYTES = 5 * 1024 * 1024;
const TYPES = "image/png,image/jpeg,image/webp,application/pdf";

type Props = { deposit: Pick<Deposit, "id">; label?: string; onSent: (deposit: Deposit) => void };

/** Sends a proof of payment to a deposit that waits. */
export function ProofUpload({ deposit, label = "Upload", onSent }: Props) {
  const [busy, setBusy] = useState(false);
  const fail = (description: string) => toast({ title: "Upload Failed", description, variant: "destructive" });
  const pick = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    if (file.size > MOST_BYTES) return fail("The file may have at most 5 MB.");
    setBusy(true);
    try {
      onSent((await sendFile(addressOf(uploadProof.path, { id: deposit.id }, undefined), file)) as Deposit);
      toast({ title: "Proof Uploaded", description: "It is visible to you and to the administrator who checks the deposit." });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fail(error.message);
    } finally {
      setBusy(false);
      input.value = "";
    }
  };
  return (
    <label
      htmlFor={`proof-${deposit.id}`}
      className="js-only inline-flex min-h-11 items-center rounded-control border border-control px-3 text-table font-medium hover:bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent md:min-h-8"
    >
      {busy ? "Uploading..." : label}
      <input id={`proof-${deposit.id}`} type="file" accept={TYPES} disabled={busy} onChange={(event) => void pick(event)} className="sr-only" />
    </label>
  );
}
