import type { ReactNode } from "react";
import type { ClientBeside as Beside } from "../../src/admin/schema_timeline";
import { displayMoney } from "../../src/lib/money";
import { STATUS } from "../support/words";
import { ticketAddress } from "../support/staff_words";
import { Badge, statusTone } from "../ui/Badge";
import { dateText } from "../ui/instant";
import { Delta } from "../ui/Price";
import { ClientSentences } from "./ClientTimeline";

/** Of the client's tickets, the last few. */
const SHOWN = 5;

/** What whoever answers wants to know of the client: the three sentences, how the person stands, and what was asked before. */
export function ClientBeside({
  client,
  now,
  here,
  children,
}: {
  client: Beside;
  now: number;
  /** The ticket that is open. */ here: string;
  children?: ReactNode;
}) {
  const { id, name, email, createdAt, registrationStatus, kycStatus, accountStatus, level, openLive, openDemo, floating, summary, tickets } = client;
  const others = tickets.filter((ticket) => ticket.id !== here && !ticket.merged).slice(0, SHOWN);
  return (
    <div data-beside={id} className="flex flex-col gap-3 text-table">
      <div className="min-w-0">
        <a href={`/admin/users/${id}`} className="text-product font-semibold text-accent underline-offset-4 hover:underline">
          {name}
        </a>
        <p className="text-note text-soft [overflow-wrap:anywhere]">{email}</p>
      </div>
      <ClientSentences summary={summary} now={now} />
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name="Open positions">
          {openLive > 0 ? `${openLive} live` : "none live"}
          {openDemo > 0 ? `, ${openDemo} demo` : ""}
          {floating === null ? null : (
            <>
              {" "}
              <Delta value={displayMoney(floating)} />
            </>
          )}
        </Fact>
        <Fact name="Account type">{level ?? "no live account"}</Fact>
        <Fact name="KYC">
          <Badge tone={kycStatus === "verified" ? "default" : statusTone(kycStatus)}>{kycStatus}</Badge>
        </Fact>
        {registrationStatus === "approved" ? null : (
          <Fact name="Registration">
            <Badge tone={statusTone(registrationStatus)}>{registrationStatus}</Badge>
          </Fact>
        )}
        {accountStatus === "active" ? null : (
          <Fact name="Account">
            <Badge tone="destructive">{accountStatus}</Badge>
          </Fact>
        )}
        <Fact name="Client since">{dateText(createdAt)}</Fact>
      </dl>
      {others.length > 0 ? (
        <section aria-label="Other tickets">
          <p className="mb-1 text-note font-semibold text-soft">Other tickets</p>
          <ul className="flex flex-col gap-1">
            {others.map(({ id: ticket, subject, status, createdAt: at }) => (
              <li key={ticket} className="flex items-baseline justify-between gap-3">
                <a href={ticketAddress(ticket)} className="inline-flex min-h-6 min-w-0 items-center text-ink underline-offset-4 hover:underline">
                  <span className="truncate">{subject}</span>
                </a>
                <span className="whitespace-nowrap text-note text-soft">
                  {STATUS[status].label}, <time dateTime={at}>{dateText(at)}</time>
                </span>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {children}
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="contents">
    <dt className="text-soft">{name}</dt>
    <dd className="text-right tabular-nums [overflow-wrap:anywhere]">{children}</dd>
  </div>
);
