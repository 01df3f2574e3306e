import type { ReactNode } from "react";
import type { Deposit, RequestStatus, Withdrawal } from "../../src/funding/schema";
import { referenceOf } from "../../src/funding/rules";
import { instantText } from "../ui/instant";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { EmptyState } from "../ui/States";
import { type Column, Table } from "../ui/Table";
import { depositText, METHOD_WORDS, outcomeOf, STATUS_TONES, STATUS_WORDS, withdrawalText } from "./words";

type Doing = {
  /** The request that is being cancelled. */
  busy: string | null;
  onCancel: (id: string) => void;
};

const TIME = "price-text";

/** Status, and below it what it led to. */
const Standing = ({ status, children }: { status: RequestStatus; children?: ReactNode }) => (
  <span className="flex flex-col items-start gap-1 max-md:items-end max-md:text-right">
    <Badge tone={STATUS_TONES[status]}>{STATUS_WORDS[status]}</Badge>
    {children}
  </span>
);
const Reason = ({ children }: { children: ReactNode }) => <span className="max-w-80 text-note text-soft [overflow-wrap:anywhere]">{children}</span>;

const Cancel = ({ name, id, busy, onCancel }: Doing & { name: string; id: string }) => (
  <Button variant="secondary" size="small" className="js-only" aria-label={`Cancel ${name}`} disabled={busy !== null} onClick={() => onCancel(id)}>
    {busy === id ? "Cancelling..." : "Cancel"}
  </Button>
);

const requested: Column<{ createdAt: string }> = {
  key: "at",
  title: "Requested (UTC)",
  cell: ({ createdAt }) => (
    <time dateTime={createdAt} className={TIME}>
      {instantText(createdAt)}
    </time>
  ),
};

type Deposits = Doing & { deposits: Deposit[]; proof?: (deposit: Deposit) => ReactNode };

/** A person's own deposits, newest first. */
export function DepositTable({ deposits, busy, onCancel, proof }: Deposits) {
  if (deposits.length === 0)
    return (
      <EmptyState icon="wallet" title="No deposits yet">
        A deposit that you request appears here with its status until it is approved.
      </EmptyState>
    );
  const columns: Column<Deposit>[] = [
    { key: "amount", title: "Amount", lead: true, cell: ({ amount, currency }) => depositText(amount, currency) },
    { key: "method", title: "Method", cell: (deposit) => <DepositWay deposit={deposit} /> },
    requested,
    {
      key: "status",
      title: "Status",
      cell: (deposit) => {
        const outcome = outcomeOf(deposit);
        return <Standing status={deposit.status}>{outcome ? <Reason>{outcome}</Reason> : null}</Standing>;
      },
    },
    { key: "proof", title: "Proof of payment", cell: (deposit) => proofOf(deposit, proof) },
    {
      key: "cancel",
      title: "Action",
      cell: ({ id, status, amount, currency }) =>
        status === "pending" ? <Cancel name={`deposit of ${depositText(amount, currency)}`} {...{ id, busy, onCancel }} /> : null,
    },
  ];
  return <Table caption="Deposits, newest first" columns={columns} rows={deposits} rowKey={({ id }) => id} />;
}

/** How it is paid, and by which reference it is found where a bank or a card company brings it. */
const DepositWay = ({ deposit: { id, method, network } }: { deposit: Deposit }) => (
  <span className="flex flex-col max-md:items-end">
    {`${METHOD_WORDS[method]}${network ? `, ${network}` : ""}`}
    {method === "crypto" ? null : <span className="text-note text-soft">Reference {referenceOf(id)}</span>}
  </span>
);

/** The file where there is one, else the way to send it while it can still help. */
function proofOf(deposit: Deposit, send: Deposits["proof"]): ReactNode {
  if (deposit.proofOfPayment)
    return (
      <a href={deposit.proofOfPayment} className="inline-flex min-h-11 items-center text-accent underline underline-offset-2 md:min-h-8">
        Download
      </a>
    );
  return deposit.status === "pending" && send ? send(deposit) : null;
}

/** A person's own withdrawals, newest first. */
export function WithdrawalTable({ withdrawals, busy, onCancel }: Doing & { withdrawals: Withdrawal[] }) {
  if (withdrawals.length === 0)
    return (
      <EmptyState icon="wallet" title="No withdrawals yet">
        A withdrawal that you request appears here with its status until it is paid out.
      </EmptyState>
    );
  const columns: Column<Withdrawal>[] = [
    { key: "amount", title: "Amount", lead: true, cell: ({ amount, currency }) => withdrawalText(amount, currency) },
    { key: "to", title: "To", cell: ({ walletAddress }) => <span className="[overflow-wrap:anywhere] max-md:text-right">{walletAddress}</span> },
    requested,
    {
      key: "status",
      title: "Status",
      cell: ({ status, rejectionReason, estimatedProcessingTime }) => (
        <Standing status={status}>
          {status === "rejected" ? <Reason>Reason: {rejectionReason ?? "none given"}</Reason> : null}
          {status === "pending" ? <Reason>{estimatedProcessingTime}</Reason> : null}
        </Standing>
      ),
    },
    {
      key: "cancel",
      title: "Action",
      cell: ({ id, status, amount, currency }) =>
        status === "pending" ? <Cancel name={`withdrawal of ${withdrawalText(amount, currency)}`} {...{ id, busy, onCancel }} /> : null,
    },
  ];
  return <Table caption="Withdrawals, newest first" columns={columns} rows={withdrawals} rowKey={({ id }) => id} />;
}
