import { may } from "../../src/lib/may";
import MailTest from "../../islands/mail/MailTest";
import { type LetterRow, letterStates } from "../../src/mail/schema";
import { Badge } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { EmptyState, Notice } from "../ui/States";
import { Pager, StatusLinks } from "../ui/staff/Filters";
import { LetterTable, MAIL_VIEW } from "./LetterTable";
import { kindText, STATES, whenText } from "./words";

type Counts = { waiting: number; oldestSeconds: number; failedToday: number; sentToday: number };
export type MailFacts = {
  /** The mail server as the log may name it; null where none is set. */
  server: string | null;
  from: string | null;
  counts: Counts;
  rows: LetterRow[];
  query: { status: string; cursor?: string };
  next: string | null;
  /** Where a test goes, unless another address is written. */
  address: string;
};

const CHOICES = [{ id: "all", label: "All" }, ...letterStates.map((id) => ({ id, label: STATES[id].label }))];

const Back = ({ href, children }: { href: string; children: string }) => (
  <ButtonLink href={href} variant="secondary" size="small">
    {children}
  </ButtonLink>
);

/** System → Mail: what waits, what failed and why, and a way to try the server. */
export function MailPage({ server, from, counts, rows, query, next, address }: MailFacts) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-heading font-semibold">Mail</h2>
        <Back href="/admin?tab=system">System</Back>
      </div>
      {server === null ? (
        <Notice kind="info" title="No mail server is set">
          Letters are kept here and not sent, and nothing asks for a verified address. SMTP_URL and MAIL_FROM change that.
        </Notice>
      ) : null}
      <div className="grid items-start gap-4 md:grid-cols-2">
        <Panel title="Queue">
          <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2 text-table">
            {(
              [
                ["Server", server ?? "none"],
                ["From", from ?? "nobody"],
                ["Waiting", counts.waiting.toLocaleString("en")],
                ["Oldest of them", counts.waiting === 0 ? "–" : `${Math.round(counts.oldestSeconds / 60).toLocaleString("en")} min`],
                ["Sent within a day", counts.sentToday.toLocaleString("en")],
                ["Failed within a day", counts.failedToday.toLocaleString("en")],
              ] as const
            ).map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="text-right tabular-nums [overflow-wrap:anywhere]">{value}</dd>
              </div>
            ))}
          </dl>
        </Panel>
        {may("letters.send") ? (
          <Panel title="Try it">
            <MailTest address={address} />
          </Panel>
        ) : null}
      </div>
      <StatusLinks at={MAIL_VIEW} query={query} choices={CHOICES} label="State" />
      {rows.length > 0 ? <LetterTable rows={rows} /> : <EmptyState title="No letters" />}
      <Pager at={MAIL_VIEW} query={query} next={next} />
    </div>
  );
}

type Read = { letter: LetterRow; subject: string; text: string; masked: boolean };

/** One letter as its reader has it. */
export const LetterPage = ({ letter, subject, text, masked }: Read) => (
  <div className="flex max-w-[48rem] flex-col gap-4">
    <div className="flex items-center justify-between gap-4">
      <h2 className="text-heading font-semibold">{kindText(letter.kind)}</h2>
      <Back href={MAIL_VIEW}>All letters</Back>
    </div>
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-table text-soft">
      <Badge tone={STATES[letter.status].tone}>{STATES[letter.status].label}</Badge>
      <span className="[overflow-wrap:anywhere]">{`to ${letter.address}, ${whenText(letter)} UTC`}</span>
      {letter.userId ? (
        <a href={`/admin/users/${letter.userId}`} className="text-accent underline underline-offset-2">
          The client's page
        </a>
      ) : null}
    </p>
    {letter.answer ? <p className="text-table [overflow-wrap:anywhere]">{letter.answer}</p> : null}
    <Panel title={subject}>
      <pre className="whitespace-pre-wrap font-sans text-product [overflow-wrap:anywhere]">{text}</pre>
    </Panel>
    {masked ? <p className="text-note text-soft">Links that open something are hidden here: they are made when the letter is sent.</p> : null}
  </div>
);
