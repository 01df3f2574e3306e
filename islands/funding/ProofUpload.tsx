import { type Deposit, uploadProof } from "../../src/funding/schema";
import { addressOf, sendFile } from "../wire/api";
import { FileButton } from "../ui/FileButton";
import { toast } from "../wire/toasts";

type Props = { deposit: Pick<Deposit, "id">; label?: string; onSent: (deposit: Deposit) => void };

/** Sends a proof of payment to a deposit that waits. */
export function ProofUpload({ deposit, label = "Upload", onSent }: Props) {
  return (
    <FileButton
      id={`proof-${deposit.id}`}
      label={label}
      busy="Uploading..."
      className="px-3 text-table md:min-h-8"
      send={async (file) => {
        onSent((await sendFile(addressOf(uploadProof.path, { id: deposit.id }, undefined), file)) as Deposit);
        toast({ title: "Proof Uploaded", description: "It is visible to you and to the administrator who checks the deposit." });
      }}
    />
  );
}
