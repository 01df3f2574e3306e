import type { ReactNode } from "react";
import type { Evidence } from "../../../src/admin/schema_queues";
import { displayMoney } from "../../../src/lib/money";
import { Badge, statusTone } from "../Badge";
import { dateText } from "../instant";
import { Notice } from "../States";
import { amountText } from "./amounts";

const times = (count: number) => (count === 1 ? "once" : `${count} times`);

/** What a decision rests on, beside the request itself: whose it is, the money so far, what else waits, what was said. */
export function EvidenceFacts({ evidence }: { evidence: Evidence }) {
  const { person, level, wallet, deposits, withdrawals, rejected, corrections, disputes, address, open, tickets, history, notes } = evidence;
  return (
    <div className="flex flex-col gap-4 text-table">
      {address ? <Address {...address} /> : null}
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Registration">
          <Badge tone={person.registrationStatus === "approved" ? "default" : statusTone(person.registrationStatus)}>{person.registrationStatus}</Badge>
        </Fact>
        <Fact name="KYC">
          <Badge tone={person.kycStatus === "verified" ? "default" : statusTone(person.kycStatus)}>{person.kycStatus}</Badge>
        </Fact>
        {person.accountStatus === "active" ? null : (
          <Fact name="Account">
            <Badge tone="destructive">{person.accountStatus}</Badge>
          </Fact>
        )}
        <Fact name="Account type">{level ?? "no live account"}</Fact>
        <Fact name="Client since">{dateText(person.createdAt)}</Fact>
        <Fact name="Wallet">{displayMoney(wallet)}</Fact>
        <Fact name="Paid in">{`${displayMoney(deposits.usd)} (${deposits.count})`}</Fact>
        <Fact name="Paid out">{`${displayMoney(withdrawals.usd)} (${withdrawals.count})`}</Fact>
        {rejected > 0 ? <Fact name="Rejected">{rejected}</Fact> : null}
        {corrections > 0 ? <Fact name="Corrections">{disputes > 0 ? `${corrections}, ${disputes} disputed` : corrections}</Fact> : null}
      </dl>
      <Part title="Waits besides">
        {open.map(({ id, kind, amount, currency, createdAt }) => (
          <li key={id} className="flex justify-between gap-3">
            <a href={`/admin?tab=${kind}s&q=${id}`} className="text-ink underline-offset-4 hover:underline">
              {`${amountText(amount, currency)} ${kind}`}
            </a>
            <time dateTime={createdAt}>{dateText(createdAt)}</time>
          </li>
        ))}
        {tickets.map(({ id, subject }) => (
          <li key={id} className="truncate">
            <a href={`/admin?tab=support&ticket=${id}`} className="text-ink underline-offset-4 hover:underline">
              {subject}
            </a>
          </li>
        ))}
      </Part>
      <Part title="History">
        {history.map(({ id, kind, amount, currency, status, at }) => (
          <li key={id} className="flex items-baseline justify-between gap-3">
            <span className="whitespace-nowrap">{`${kind === "deposit" ? "In" : "Out"} ${amountText(amount, currency)}`}</span>
            <span className="whitespace-nowrap text-note text-soft">
              {status} <time dateTime={at}>{dateText(at)}</time>
            </span>
          </li>
        ))}
      </Part>
      <Part title="Notes">
        {notes.map(({ body, administrator, createdAt }) => (
          <li key={createdAt + body}>
            <p className="whitespace-pre-line [overflow-wrap:anywhere]">{body}</p>
            <p className="text-note text-soft">{`${administrator}, ${dateText(createdAt)}`}</p>
          </li>
        ))}
      </Part>
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft">{name}</dt>
    <dd className="text-right tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

/** A list that is there where it has something to say. */
const Part = ({ title, children }: { title: string; children: ReactNode[] | ReactNode[][] }) =>
  children.flat().length === 0 ? null : (
    <section aria-label={title}>
      <p className="mb-1 text-note font-semibold text-soft">{title}</p>
      <ul className="flex flex-col gap-1">{children}</ul>
    </section>
  );

/** Where the money would go, and whether that was ever so. */
const Address = ({ paidBefore, others }: { paidBefore: number; others: number }) => (
  <Notice kind={paidBefore === 0 || others > 0 ? "warning" : "info"}>
    {paidBefore === 0 ? "First withdrawal to this address." : `Paid to this address ${times(paidBefore)} before.`}
    {others > 0 ? ` ${others === 1 ? "Another client has" : `${others} other clients have`} asked for money there, too.` : ""}
  </Notice>
);
