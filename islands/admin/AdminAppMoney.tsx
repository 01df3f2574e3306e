import { useEffect, useState } from "react";
import type { Snooze } from "../../src/admin/schema_queues";
import { staffDeposits, staffWithdrawals, type StaffWithdrawal } from "../../src/funding/schema";
import { decides } from "../../views/funding/RequestCells";
import { RequestEvidence } from "../../views/funding/RequestEvidence";
import { askedText, creditText, isDeposit, type MoneyRequest, namedOf, personOf, wayOf } from "../../views/funding/request_words";
import { waitOf } from "../../views/ui/staff/waits";
import { AppCard, AppCards, Decisions } from "../../views/admin/AppCard";
import { AppRow, AppRows } from "../../views/admin/AppRow";
import { Badge, statusTone } from "../../views/ui/Badge";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { DepositApproval } from "../funding/DepositApproval";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { AwayList, takeBack } from "../ui/AwayList";
import { EvidenceDialog } from "../ui/EvidencePanel";
import { Fresh, Marked } from "../ui/Fresh";
import { idOf, useSteady } from "../runtime/steady";
import { untilText, useParted, useSnoozes } from "../runtime/snoozes";
import { LostNotice } from "../ui/LostNotice";
import { ProofDialog } from "../funding/ProofDialog";
import { SnoozeDialog } from "../ui/SnoozeDialog";
import { Swipe } from "../ui/Swipe";
import { upTo } from "../runtime/up_to";
import { useNow } from "../runtime/now";
import { RejectDialog } from "../funding/RejectDialog";
import { WithdrawalApproval } from "../funding/WithdrawalApproval";

type Lists = { waiting: MoneyRequest[]; decided: MoneyRequest[] };
type Props = Lists & { kind: "deposit" | "withdrawal"; me: string; now: string; confirmAbove: string; snoozes: Snooze[] };
type Action = "approve" | "reject" | "evidence" | "proof" | "snooze";

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

/** Money requests as low cards: what waits, decided by a swipe or a button, its evidence a tap away; then the last that were decided, folded. */
export function AdminAppMoney({ kind, me, now: opened, confirmAbove, snoozes: firstSnoozes, ...first }: Props) {
  const [wanted, setWanted] = useState(PAGE);
  const { mine, others } = useSnoozes(kind, me, firstSnoozes);
  const { value, lost, again } = useLive<Lists>(first, () => load(kind, wanted + mine.size), [kind]);
  useEffect(() => void (wanted > PAGE && again()), [wanted, again]);
  const [asked, ask, close] = useAsked<{ action: Action; request: MoneyRequest }>();
  const now = useNow(opened);
  const [here, away] = useParted(value.waiting, mine);
  const [list, area] = useSteady(here, idOf, wanted);
  const done = (really?: true) => {
    if (really && asked) list.decide(asked.request.id, { text: asked.action === "approve" ? "Approved" : "Rejected" });
    close();
  };
  const back = async (id: string) => {
    list.admit(id);
    const isBack = await takeBack(id);
    if (isBack) list.reopen(id);
    return isBack;
  };
  const putAway = (until: string | null) => {
    const id = asked?.request.id;
    if (until && id) list.decide(id, { text: `Put away until ${untilText(until)}`, undo: () => back(id) });
    close();
  };
  const viewers = useViewers(me);
  const shownViewers = viewersOf(list.open, new Map([...others, ...viewers]));
  useClaim(kind, asked?.action === "approve" || asked?.action === "reject" ? asked.request.id : null);
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
          <AppRows label={`Waiting ${kind}s`}>
            {list.rows.map((request) => (
              <RequestRow
                key={request.id}
                {...{ request, now }}
                viewers={shownViewers.get(request.id)}
                own={request.userId === me}
                isOpen={!list.gone.has(request.id) && !list.decided.has(request.id)}
                onAsk={(action) => ask({ action, request })}
              />
            ))}
          </AppRows>
        </Marked>
      )}
      {value.waiting.length >= wanted + mine.size ? (
        <Button variant="secondary" wide className="js-only mt-3" onClick={() => setWanted(wanted + PAGE)}>
          Show more that wait
        </Button>
      ) : null}
      <AwayList rows={away.map((row) => ({ id: row.id, name: namedOf(row), until: mine.get(row.id) ?? "" }))} onBack={(id) => void back(id)} />
      {value.decided.length > 0 ? (
        <details className="mt-2">
          <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold">Decided</summary>
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
        </details>
      ) : null}
      {asked ? (
        <Asked
          key={`${asked.action} ${asked.request.id}`}
          {...asked}
          {...{ kind, confirmAbove, ask }}
          viewers={viewers.get(asked.request.id) ?? null}
          onClose={done}
          onPutAway={putAway}
        />
      ) : null}
    </div>
  );
}

type RowProps = {
  request: MoneyRequest;
  now: number;
  viewers: string | undefined;
  own: boolean;
  /** Whether it may still be decided about. */
  isOpen: boolean;
  onAsk: (action: Action) => void;
};

function RequestRow({ request, now, viewers, own, isOpen, onAsk }: RowProps) {
  const wait = waitOf(request.createdAt, now);
  const credit = isDeposit(request) ? creditText(request) : null;
  const note = isDeposit(request) ? request.notes : request.walletAddress;
  const row = (
    <AppRow
      id={request.id}
      title={askedText(request)}
      note={credit ? `${wayOf(request)}, ${credit}` : wayOf(request)}
      mark={<span className={wait.tone === "late" ? "text-loss" : wait.tone === "long" ? "text-warn" : "text-soft"}>waits {wait.text}</span>}
      line={[personOf(request), note].filter(Boolean).join(" · ")}
      warning={[claimText(request), viewers && `${personOf(request)}: ${viewers}`].filter(Boolean).join("; ") || undefined}
    >
      <Decisions>
        <Button variant="secondary" data-opens="" aria-label={`Evidence for ${namedOf(request)}`} onClick={() => onAsk("evidence")}>
          Evidence
        </Button>
        {own ? (
          <span className="self-center text-note text-soft">Your own: another administrator decides</span>
        ) : decides(request) ? (
          <>
            <Button variant="danger" data-key="r" aria-label={`Reject ${namedOf(request)}`} onClick={() => onAsk("reject")}>
              Reject
            </Button>
            <Button data-key="a" aria-label={`Approve ${namedOf(request)}`} onClick={() => onAsk("approve")}>
              Approve
            </Button>
          </>
        ) : null}
      </Decisions>
    </AppRow>
  );
  return (
    <li data-row={request.id} className={classes(!isOpen && "grayscale")}>
      {own || !isOpen || !decides(request) ? (
        row
      ) : (
        <Swipe right={{ label: "Approve", onSwipe: () => onAsk("approve") }} left={{ label: "Reject", onSwipe: () => onAsk("reject") }}>
          {row}
        </Swipe>
      )}
    </li>
  );
}

/** "This payment is also claimed by Eve Late". */
const claimText = (request: MoneyRequest) =>
  isDeposit(request) && request.claims?.length ? `This payment is also claimed by ${request.claims.map(personOf).join(", ")}` : "";

type AskedProps = {
  kind: Props["kind"];
  action: Action;
  request: MoneyRequest;
  viewers: string | null;
  confirmAbove: string;
  ask: (what: { action: Action; request: MoneyRequest }) => void;
  onClose: (done?: true) => void;
  onPutAway: (until: string | null) => void;
};

function Asked({ kind, action, request, viewers, confirmAbove, ask, onClose, onPutAway }: AskedProps) {
  if (action === "evidence")
    return (
      <EvidenceDialog kind={kind} id={request.id} title={askedText(request)} onClose={() => onClose()}>
        <RequestEvidence
          request={request}
          viewers={viewers ?? undefined}
          onProof={() => ask({ action: "proof", request })}
          onSnooze={() => ask({ action: "snooze", request })}
        />
      </EvidenceDialog>
    );
  if (action === "snooze") return <SnoozeDialog kind={kind} id={request.id} name={namedOf(request)} onClose={onPutAway} />;
  if (action === "proof" && isDeposit(request) && request.proofOfPayment)
    return <ProofDialog deposit={request} path={request.proofOfPayment} onClose={() => onClose()} />;
  if (action === "approve" && isDeposit(request)) return <DepositApproval deposit={request} {...{ confirmAbove, viewers, onClose }} />;
  if (action === "approve") return <WithdrawalApproval withdrawal={request as StaffWithdrawal} {...{ confirmAbove, viewers, onClose }} />;
  return <RejectDialog {...{ request, viewers, onClose }} />;
}

export default island("AdminAppMoney", AdminAppMoney);
