import { useCallback, useEffect, useState } from "react";
import { type DocumentKind, documentKinds, readVerification, type Verification as Facts } from "../../src/compliance/schema";
import { standingEvent, type PersonStanding } from "../../src/identity/schema_standing";
import { myStream } from "../../src/portal/schema";
import { DocumentList } from "../../views/compliance/DocumentList";
import { KINDS, LEVELS } from "../../views/compliance/words";
import { Badge } from "../../views/ui/Badge";
import { Panel } from "../../views/ui/Card";
import { inOrder } from "../runtime/in_order";
import { island } from "../runtime/island";
import { ApiError, call } from "../wire/api";
import { listen } from "../wire/stream";
import { DocumentForm } from "./DocumentForm";

type Props = { verification: Facts; /** What a form without scripts was refused for. */ said?: { kind: string; message: string } };

/** Documents to send, and what became of those that were sent; follows what staff do. */
function Verification({ verification, said }: Props) {
  const [{ level, identity, documents }, setFacts] = useState(verification);
  const [take] = useState(inOrder);
  const again = useCallback(async () => {
    try {
      await take(() => call(readVerification), setFacts);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }, [take]);
  useEffect(() => {
    const hear = { [standingEvent]: () => void again() };
    // Also what came between the page's drawing and now, or while the line was away.
    return listen<{ [standingEvent]: PersonStanding }>(myStream.path, hear, (state) => state === "open" && void again());
  }, [again]);
  const waits = (kind: DocumentKind) => documents.some((document) => document.kind === kind && document.status === "pending");
  return (
    <>
      <Panel title={`Level ${level} of 3: ${LEVELS[level]}`}>
        <ol className="flex flex-col gap-2">
          <Step done={level >= 1} name="Email address">
            {level >= 1 ? null : (
              <a href="/verify-email" className="text-accent underline underline-offset-4">
                Verify it
              </a>
            )}
          </Step>
          <Step done={level >= 2} name="Identity">
            {level >= 2 ? null : waits("identity") ? "is being checked" : identity === "rejected" ? "was not accepted; send it again" : "needs a document"}
          </Step>
          <Step done={level >= 3} name="Postal address">
            {level >= 3 ? null : waits("address") ? "is being checked" : "needs a document"}
          </Step>
        </ol>
      </Panel>
      <DocumentList documents={documents} />
      {documentKinds.map((kind) => (
        <Panel key={kind} title={KINDS[kind].label} id={`send-${kind}`}>
          <DocumentForm kind={kind} {...(said?.kind === kind ? { said: said.message } : {})} onSent={again} />
        </Panel>
      ))}
    </>
  );
}

const Step = ({ done, name, children }: { done: boolean; name: string; children: React.ReactNode }) => (
  <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
    <Badge tone={done ? "gain" : "secondary"}>{done ? "Done" : "Open"}</Badge>
    <span className="font-medium">{name}</span>
    {children ? <span className="text-table text-soft">{children}</span> : null}
  </li>
);

export default island("Verification", Verification);
