import { useState } from "react";
import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import { referenceOf } from "../../src/funding/rules";
import { Button } from "../ui/Button";
import { instantText } from "../ui/instant";
import { OtherClaims } from "./OtherClaims";
import { creditText, isDeposit, type MoneyRequest, personOf, wayOf } from "./request_words";
import { PLACE_WORDS } from "./words";

type Props = { request: MoneyRequest; viewers: string | undefined; onProof?: ((request: MoneyRequest) => void) | undefined; onSnooze: () => void };

/** What the request itself says, at the head of the evidence for it. */
export function RequestEvidence({ request, viewers, onProof, onSnooze }: Props) {
  const credit = isDeposit(request) ? creditText(request) : null;
  return (
    <div className="flex flex-col gap-2 text-table">
      <p>
        <a href={`/admin/users/${request.userId}`} className="font-medium text-ink underline-offset-4 hover:underline">
          {personOf(request)}
        </a>
        <span className="block text-note text-soft [overflow-wrap:anywhere]">{request.email}</span>
      </p>
      <p>
        {wayOf(request)}
        {credit ? <span className="text-soft">{`, ${credit}`}</span> : null}
        <span className="block text-note text-soft">
          asked <time dateTime={request.createdAt}>{instantText(request.createdAt)} UTC</time>
          {isDeposit(request) && request.method !== "crypto" ? `, reference ${referenceOf(request.id)}` : ""}
        </span>
      </p>
      {request.walletAddress ? <Copyable text={request.walletAddress} what={PLACE_WORDS[request.method]} /> : null}
      {request.transactionHash ? <Copyable text={request.transactionHash} what="Transaction hash" /> : null}
      {isDeposit(request) ? <OtherClaims deposit={request} /> : null}
      {isDeposit(request) && request.notes ? <p className="whitespace-pre-line [overflow-wrap:anywhere]">{request.notes}</p> : null}
      {isDeposit(request) && request.proofOfPayment ? (
        <Proof key={request.id} path={request.proofOfPayment} of={personOf(request)} onOpen={onProof && (() => onProof(request))} />
      ) : null}
      {viewers ? <p className="text-note text-warn">{viewers}</p> : null}
      {may("queues.work") ? (
        <Button variant="secondary" size="small" className="self-start" onClick={onSnooze}>
          Put away...
        </Button>
      ) : null}
    </div>
  );
}

/** The proof as a picture where it is one; a press shows it whole. */
function Proof({ path, of, onOpen }: { path: string; of: string; onOpen: (() => void) | undefined }) {
  const [isPicture, setPicture] = useState(true);
  return (
    <button type="button" aria-label={`Open the proof of ${of}`} onClick={onOpen} className="block rounded-control border border-line bg-sunken p-1 text-left">
      {isPicture ? (
        <img src={path} alt="" loading="lazy" className="h-36 w-full object-contain" onError={() => setPicture(false)} />
      ) : (
        <span className="block p-2 text-accent">Proof of payment (PDF)</span>
      )}
    </button>
  );
}
