import { useState } from "react";
import { rejectDeposit, rejectWithdrawal, staffDeposits, type StaffDeposit, staffWithdrawals, type StaffWithdrawal } from "../src/funding/schema";
import { askedText, creditText, type MoneyRequest, personOf, wayOf } from "../views/admin/request_words";
import { waitOf } from "../views/admin/waits";
import { AppCard, AppCards, Decisions } from "../views/admin_app/AppCard";
import { Badge, statusTone } from "../views/ui/Badge";
import { Button } from "../views/ui/Button";
import { classes } from "../views/ui/classes";
import { EmptyState } from "../views/ui/States";
import { call, newKey } from "./lib/api";
import { useClaim, useLooking } from "./lib/claims";
import { DepositApproval } from "./lib/DepositApproval";
import { island } from "./lib/island";
import { useAsked, useLive } from "./lib/live_list";
import { LostNotice } from "./lib/LostNotice";
import { ProofDialog } from "./lib/ProofDialog";
import { useNow } from "./lib/queue";
import { RejectDialog } from "./lib/RejectDialog";
import { toast } from "./lib/toasts";
import { WithdrawalApproval } from "./lib/WithdrawalApproval";

type Lists = { waiting: MoneyRequest[]; decided: MoneyRequest[] };
type Props = Lists & { kind: "deposit" | "withdrawal"; me: string; now: string; confirmAbove: string };

const DECIDED = "20";
const isDeposit = (request: MoneyRequest): request is StaffDeposit => "creditsUsd" in request;

async function look(kind: Props["kind"]): Promise<Lists> {
  const list = kind === "deposit" ? staffDeposits : staffWithdrawals;
  const ask = (status: "pending" | "decided", limit?: string) => call(list, undefined, { query: { status, ...(limit ? { limit } : {}) } });
  const [waiting, decided] = await Promise.all([ask("pending"), ask("decided", DECIDED)]);
  return { waiting, decided };
}

/** Money requests as cards: what waits with its decision, then the last that were decided. */
export function AdminAppMoney({ kind, me, now: opened, confirmAbove, ...first }: Props) {
  const { value, lost } = useLive<Lists>(first, () => look(kind), [kind]);
  const [asked, ask, close] = useAsked<{ deed: "approve" | "reject" | "proof"; request: MoneyRequest }>();
  const now = useNow(opened);
  const looking = useLooking(me);
  useClaim(kind, asked && asked.deed !== "proof" ? asked.request.id : null);
  return (
    <>
      {lost ? <LostNotice /> : null}
      {value.waiting.length === 0 ? (
        <EmptyState icon="check" title="Nothing waits">
          New {kind}s appear here by themselves.
        </EmptyState>
      ) : (
        <AppCards label={`Waiting ${kind}s`}>
          {value.waiting.map((request) => (
            <RequestCard
              key={request.id}
              {...{ request, now }}
              looking={looking.get(request.id)}
              own={request.userId === me}
              onAsk={(deed) => ask({ deed, request })}
            />
          ))}
        </AppCards>
      )}
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
          key={`${asked.deed} ${asked.request.id}`}
          {...asked}
          looking={looking.get(asked.request.id) ?? null}
          confirmAbove={confirmAbove}
          onClose={close}
        />
      ) : null}
    </>
  );
}

type CardProps = { request: MoneyRequest; now: number; looking: string | undefined; own: boolean; onAsk: (deed: "approve" | "reject" | "proof") => void };

function RequestCard({ request, now, looking, own, onAsk }: CardProps) {
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
        ...(isDeposit(request) && request.transactionHash ? [["Hash", request.transactionHash] as [string, string]] : []),
      ]}
    >
      {looking ? <p className="text-table text-warn">{looking}</p> : null}
      {isDeposit(request) && request.proofOfPayment ? (
        <Button look="quiet" size="small" aria-label={`View proof of ${of}`} onClick={() => onAsk("proof")}>
          View proof
        </Button>
      ) : null}
      {own ? (
        <p className="text-table text-soft">Your own: another administrator decides</p>
      ) : (
        <Decisions>
          <Button aria-label={`Approve ${of}`} onClick={() => onAsk("approve")}>
            Approve
          </Button>
          <Button look="danger" aria-label={`Reject ${of}`} onClick={() => onAsk("reject")}>
            Reject
          </Button>
        </Decisions>
      )}
    </AppCard>
  );
}

type AskedProps = { deed: "approve" | "reject" | "proof"; request: MoneyRequest; looking: string | null; confirmAbove: string; onClose: () => void };

function Asked({ deed, request, looking, confirmAbove, onClose }: AskedProps) {
  const [key] = useState(newKey);
  if (deed === "proof" && isDeposit(request) && request.proofOfPayment)
    return <ProofDialog deposit={request} path={request.proofOfPayment} onClose={onClose} />;
  if (deed === "approve" && isDeposit(request)) return <DepositApproval deposit={request} {...{ confirmAbove, looking, onClose }} />;
  if (deed === "approve") return <WithdrawalApproval withdrawal={request as StaffWithdrawal} {...{ confirmAbove, looking, onClose }} />;
  const of = personOf(request);
  return (
    <RejectDialog
      title={`Reject ${askedText(request)}`}
      consequence={isDeposit(request) ? `Credits nothing to ${of}.` : `Returns ${askedText(request)} to the wallet of ${of}.`}
      looking={looking}
      send={async (reason) => {
        await call(isDeposit(request) ? rejectDeposit : rejectWithdrawal, { reason }, { params: { id: request.id }, idempotencyKey: key });
        toast({ title: isDeposit(request) ? "Deposit rejected" : "Withdrawal rejected", description: `${of} was told why.` });
      }}
      onClose={onClose}
    />
  );
}

export default island("AdminAppMoney", AdminAppMoney);
