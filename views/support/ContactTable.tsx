import { may } from "../../src/lib/may";
import type { ContactStatus, StaffContactMessage } from "../../src/support/schema_contact";
import { Badge, type Tone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { instantText } from "../ui/instant";
import { AdminTable, ClientLink, Two } from "../ui/staff/AdminTable";
import { waitOf } from "../ui/staff/waits";
import { Words } from "./Conversation";
import { WaitText } from "./SupportTicketTable";

type State = { label: string; tone: Tone; moves: { to: ContactStatus; label: string }[] };
/** What becomes of a message, as verbs. */
export const LETTERS: Readonly<Record<ContactStatus, State>> = {
  new: {
    label: "New",
    tone: "warning",
    moves: [
      { to: "answered", label: "Mark answered" },
      { to: "closed", label: "Close" },
    ],
  },
  answered: {
    label: "Answered",
    tone: "gain",
    moves: [
      { to: "closed", label: "Close" },
      { to: "new", label: "Reopen" },
    ],
  },
  closed: { label: "Closed", tone: "secondary", moves: [{ to: "new", label: "Reopen" }] },
};

export const letterTitle = ({ name, subject }: StaffContactMessage): string => `${name}: ${subject || "No subject"}`;
/** Nobody whom the house knows wrote it; a program of the release before does not say. */
export const isStrangers = ({ hasClient }: StaffContactMessage): boolean => hasClient === false;
const minute = (iso: string) => `${instantText(iso).slice(0, 16)} UTC`;

type Props = {
  rows: StaffContactMessage[];
  now: number;
  /** Who else put a message away, in words, by its id. */
  viewers: ReadonlyMap<string, string>;
  current: string | null;
  onCurrent: (id: string) => void;
  onEvidence: (id: string) => void;
  onAsk: (message: StaffContactMessage, to: ContactStatus) => void;
};

/** What visitors wrote by the contact form. */
export const ContactTable = ({ rows, now, viewers, onEvidence, onAsk, ...walked }: Props) => (
  <AdminTable
    caption="Contact messages"
    {...walked}
    rows={rows}
    rowKey={({ id }) => id}
    swipe={(message) => {
      if (!may("support.answer")) return null;
      const [right, left] = LETTERS[message.status].moves.map(({ to, label }) => ({ label, onSwipe: () => onAsk(message, to) }));
      return right && left ? { right, left } : null;
    }}
    columns={[
      {
        key: "who",
        title: "Who",
        roomy: true,
        width: "lg:w-[22%]",
        cell: ({ userId, name, email }) =>
          userId ? <ClientLink id={userId} name={name} email={email} /> : <Two first={<span className="font-medium">{name}</span>} second={email} />,
      },
      {
        key: "letter",
        title: "Message",
        lead: true,
        roomy: true,
        cell: ({ id, name, subject, message }) => (
          <Two
            first={<span className="font-medium">{subject || "No subject"}</span>}
            second={
              viewers.has(id) ? (
                <span className="text-warn">{viewers.get(id)}</span>
              ) : (
                <>
                  <span className="lg:hidden">{`${name}: `}</span>
                  {message.slice(0, 200)}
                </>
              )
            }
          />
        ),
      },
      {
        key: "wait",
        title: "Waits",
        low: "sum",
        width: "lg:w-[16%]",
        cell: ({ status, createdAt, handledBy, handledAt }) =>
          status === "new" ? (
            <WaitText wait={waitOf(createdAt, now)} />
          ) : (
            <Two first={<Badge tone={LETTERS[status].tone}>{LETTERS[status].label}</Badge>} second={handledAt ? `${handledBy}, ${minute(handledAt)}` : ""} />
          ),
      },
      {
        key: "actions",
        title: "Actions",
        numeric: true,
        width: "lg:w-80 xl:w-56",
        cell: (message) => (
          <span className="js-only inline-flex justify-end gap-1">
            {(may("support.answer") ? LETTERS[message.status].moves : []).map(({ to, label }, n) => (
              <Button
                key={to}
                size="small"
                variant={n === 0 ? "secondary" : "quiet"}
                aria-label={`${label}: ${message.name}`}
                onClick={() => onAsk(message, to)}
              >
                {label}
              </Button>
            ))}
            <Button
              size="small"
              variant="quiet"
              className="xl:hidden"
              data-opens=""
              aria-label={`Read ${letterTitle(message)}`}
              onClick={() => onEvidence(message.id)}
            >
              Read
            </Button>
          </span>
        ),
      },
    ]}
  />
);

/** The whole of a message, and where it is answered. */
export const ContactWords = ({ message: { name, email, message, status, createdAt, note, handledBy, handledAt } }: { message: StaffContactMessage }) => (
  <>
    <p className="[overflow-wrap:anywhere]">
      {name}
      <a href={`mailto:${encodeURIComponent(email)}`} className="block text-accent underline underline-offset-2">
        {email}
      </a>
      <span className="block text-note text-soft">{minute(createdAt)}</span>
    </p>
    <Words text={message} />
    {handledBy && handledAt ? (
      <p className="text-note text-soft [overflow-wrap:anywhere]">
        {`${LETTERS[status].label} by ${handledBy}, ${minute(handledAt)}${note ? `: ${note}` : ""}`}
      </p>
    ) : null}
  </>
);

type LetterProps = { message: StaffContactMessage; viewers: string | undefined; onSnooze: () => void };

/** What a message says itself, at the head of what is known of its writer. */
export const ContactLetter = ({ message, viewers, onSnooze }: LetterProps) => (
  <div className="flex flex-col gap-2 text-table">
    <ContactWords message={message} />
    {viewers ? <p className="text-note text-warn">{viewers}</p> : null}
    {may("queues.work") ? (
      <Button variant="secondary" size="small" className="self-start" onClick={onSnooze}>
        Put away...
      </Button>
    ) : null}
  </div>
);
