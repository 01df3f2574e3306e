import { useEffect, useState } from "react";
import { staffDeposits, staffWithdrawals, type StaffWithdrawal } from "../../src/funding/schema";
import { OtherClaims } from "../../views/funding/OtherClaims";
import { askedText, creditText, isDeposit, type MoneyRequest, personOf, wayOf } from "../../views/funding/request_words";
import { waitOf } from "../../views/ui/staff/waits";
import { AppCard, AppCards, Decisions } from "../../views/admin/AppCard";
import { Badge, statusTone } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { DepositApproval } from "../funding/DepositApproval";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { LostNotice } from "../ui/LostNotice";
import { ProofDialog } from "../funding/ProofDialog";
import { upTo } from "../runtime/up_to";
import { useNow } from "../runtime/now";
import { RejectDialog } from "../funding/RejectDialog";
import { WithdrawalApproval } from "../funding/WithdrawalApproval";

type Lists = { waiting: MoneyRequest[]; decided: MoneyRequest[] };
type Props = Lists & { kind: "deposit" | "withdrawal"; me: string; now: string; confirmAbove: string };

const DECIDED = "20";

/** Of what waits, so many are shown at first, and again with each press. */
const PAGE = 100;

async function load(kind: Props["kind"], wanted: number): Promise<Lists> {
  const list = kind === "deposit" ? staffDeposits : staffWithdrawals;
  const [waiting, decided] = await Promise.all([
    upTo<MoneyRequest>(wanted, (page) => call(list, undefined, { query: { status: "pending", sort: "wait", ...page } })),
    call(list, undefined, { query: { status: "decided", sort: "-decided", limit: DECIDED } }),
  ]);
  return { waiting, decided };
}

/** Money requests as cards: what waits with its decision, then the last that were decided. */
export function AdminAppMoney({ kind, me, now: opened, confirmAbove, ...first }: Props) {
  const [wanted, setWanted] = useState(PAGE);
  const { value, lost, again } = useLive<Lists>(first, () => load(kind, wanted), [kind]);
  useEffect(() => void (wanted > PAGE && again()), [wanted, again]);
  const [asked, ask, close] = useAsked<{ action: "approve" | "reject" | "proof"; request: MoneyRequest }>();
  const now = useNow(opened);
  const [list, area] = useSteady(value.waiting, idOf, wanted);
  const done = (really?: true) => {
    if (really && asked) list.decide(asked.request.id, { text: asked.action === "approve" ? "Approved" : "Rejected" });
    close();
  };
  const viewers = useViewers(me);
  const shownViewers = viewersOf(list.open, viewers);
  useClaim(kind, asked && asked.action !== "proof" ? asked.request.id : null);
  return (
    <div ref={area}>
      {lost ? <LostNotice /> : null}
      <Fresh list={list} floats />
      {list.rows.length === 0 ? (
        <EmptyState icon="check" title="Nothing waits">
          New {kind}s appear here by themselves.
        </EmptyState>
      ) : (
        <Marked list={list}>
          <AppCards label={`Waiting ${kind}s`}>
            {list.rows.map((request) => (
              <RequestCard
                key={request.id}
                {...{ request, now }}
                viewers={shownViewers.get(request.id)}
                own={request.userId === me}
                onAsk={(action) => ask({ action, request })}
              />
            ))}
          </AppCards>
        </Marked>
      )}
      {value.waiting.length >= wanted ? (
        <Button variant="secondary" wide className="js-only mt-3" onClick={() => setWanted(wanted + PAGE)}>
          Show more that wait
        </Button>
      ) : null}
      {value.decided.length > 0 ? (
        <>
          <h3 className="mt-4 font-semibold">Decided</h3>
          <AppCards label={`Decided ${kind}s`}>
            {value.decided.map((request) => (
              <AppCard
                key={request.id}
                id={request.id}
                title={askedText(request)}
                note={`${personOf(request)} · ${wayOf(request)}`}
                mark={<Badge tone={statusTone(request.status)}>{request.status}</Badge>}
              />
            ))}
          </AppCards>
        </>
      ) : null}
      {asked ? (
        <Asked
          key={`${asked.action} ${asked.request.id}`}
          {...asked}
          viewers={viewers.get(asked.request.id) ?? null}
          confirmAbove={confirmAbove}
          onClose={done}
        />
      ) : null}
    </div>
  );
}

type CardProps = { request: MoneyRequest; now: number; viewers: string | undefined; own: boolean; onAsk: (action: "approve" | "reject" | "proof") => void };

function RequestCard({ request, now, viewers, own, onAsk }: CardProps) {
  const wait = waitOf(request.createdAt, now);
  const credit = isDeposit(request) ? creditText(request) : null;
  const of = personOf(request);
  return (
    <AppCard
      id={request.id}
      title={askedText(request)}
      note={
        <>
          <span className="block text-ink">{of}</span>
          {request.email}
        </>
      }
      mark={
        <span className={classes("text-table", wait.tone === "late" ? "text-loss" : wait.tone === "long" ? "text-warn" : "text-soft")}>waits {wait.text}</span>
      }
      facts={[
        ["Method", wayOf(request)],
        ...(credit ? [["Value", credit] as [string, string]] : []),
        ...(request.walletAddress ? [["Address", request.walletAddress] as [string, string]] : []),
        ...(isDeposit(request) && request.notes ? [["Note", request.notes] as [string, string]] : []),
        ...(isDeposit(request) && request.transactionHash ? [["Hash", request.transactionHash] as [string, string]] : []),
      ]}
    >
      {viewers ? <p className="text-table text-warn">{viewers}</p> : null}
      {isDeposit(request) ? <OtherClaims deposit={request} /> : null}
      {isDeposit(request) && request.proofOfPayment ? (
        <Button variant="quiet" size="small" aria-label={`View proof of ${of}`} onClick={() => onAsk("proof")}>
          View proof
        </Button>
      ) : null}
      {own ? (
        <p className="text-table text-soft">Your own: another administrator decides</p>
      ) : (
        <Decisions>
          <Button aria-label={`Approve ${of}, ${askedText(request)}`} onClick={() => onAsk("approve")}>
            Approve
          </Button>
          <Button variant="danger" aria-label={`Reject ${of}, ${askedText(request)}`} onClick={() => onAsk("reject")}>
            Reject
          </Button>
        </Decisions>
      )}
    </AppCard>
  );
}

type AskedProps = {
  action: "approve" | "reject" | "proof";
  request: MoneyRequest;
  viewers: string | null;
  confirmAbove: string;
  onClose: (done?: true) => void;
};

function Asked({ action, request, viewers, confirmAbove, onClose }: AskedProps) {
  if (action === "proof" && isDeposit(request) && request.proofOfPayment)
    return <ProofDialog deposit={request} path={request.proofOfPayment} onClose={onClose} />;
  if (action === "approve" && isDeposit(request)) return <DepositApproval deposit={request} {...{ confirmAbove, viewers, onClose }} />;
  if (action === "approve") return <WithdrawalApproval withdrawal={request as StaffWithdrawal} {...{ confirmAbove, viewers, onClose }} />;
  return <RejectDialog {...{ request, viewers, onClose }} />;
}

export default island("AdminAppMoney", AdminAppMoney);
