import { useEffect, useState } from "react";
import type { StaffDeposit } from "../../src/funding/schema";
import { askedText, personOf } from "../../views/funding/request_words";
import { ButtonLink } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Notice, Skeleton } from "../../views/ui/States";
import { signInAgain } from "../wire/api";

type Seen = { kind: "image" | "file"; url: string } | { kind: "failed"; message: string };

/** A proof of payment: a picture is shown, a PDF offered for download. What was loaded is given back when it closes. */
export function ProofDialog({ deposit, path, onClose }: { deposit: StaffDeposit; path: string; onClose: () => void }) {
  const seen = useFile(path);
  const what = `Proof of payment, ${askedText(deposit)} from ${personOf(deposit)}`;
  return (
    <Dialog id="proof" title={what} open onClose={onClose} wide>
      {seen === null ? <Skeleton className="h-80 w-full" /> : null}
      {seen?.kind === "failed" ? <Notice kind="error">{seen.message}</Notice> : null}
      {seen?.kind === "image" ? <img src={seen.url} alt={what} className="mx-auto max-h-[70dvh] max-w-full" /> : null}
      {seen?.kind === "file" ? (
        <div className="flex flex-col items-center gap-4 py-8">
          <p>This proof is a PDF document.</p>
          <ButtonLink href={seen.url} download={`proof-${deposit.id}.pdf`}>
            Download the PDF
          </ButtonLink>
        </div>
      ) : null}
    </Dialog>
  );
}

function useFile(path: string): Seen | null {
  const [seen, setSeen] = useState<Seen | null>(null);
  useEffect(() => {
    const leaving = new AbortController();
    let url = "";
    load(path, leaving.signal)
      .then((file) => {
        url = URL.createObjectURL(file);
        if (leaving.signal.aborted) return URL.revokeObjectURL(url);
        setSeen({ kind: file.type.startsWith("image/") ? "image" : "file", url });
      })
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) setSeen({ kind: "failed", message: error instanceof Error ? error.message : "The proof could not be loaded." });
      });
    return () => {
      leaving.abort();
      URL.revokeObjectURL(url);
    };
  }, [path]);
  return seen;
}

async function load(path: string, signal: AbortSignal): Promise<Blob> {
  const response = await fetch(path, { credentials: "same-origin", signal });
  if (response.status === 401) signInAgain();
  if (!response.ok) throw new Error(`The proof could not be loaded (${response.status}). Close this and try again.`);
  return response.blob();
}
