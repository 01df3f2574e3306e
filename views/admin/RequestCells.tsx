import { Copyable } from "../../islands/lib/Copyable";
import { Badge, statusTone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { classes } from "../ui/classes";
import { instantText } from "../portal/instant";
import type { ListQuery } from "./address";
import { ClientLink } from "./AdminTable";
import { type MoneyRequest, personOf, wayOf } from "./request_words";
import { waitOf } from "./waits";

export type Deed = "approve" | "reject";

/** What a table of waiting requests is given: its rows, the clock, and the row that the keys act on. */
export type QueueTable<R> = {
  rows: R[];
  me: string;
  now: number;
  /** Who else looks at a request, in words, by its id. */
  looking: ReadonlyMap<string, string>;
  query: ListQuery;
  current: string | null;
  onCurrent: (id: string) => void;
  onAsk: (deed: Deed, id: string) => void;
};

/** Whose request it is, and who else has it open. */
export const Who = ({ request, looking }: { request: MoneyRequest; looking?: string | undefined }) => (
  <>
    <ClientLink id={request.userId} name={personOf(request)} email={request.email} />
    {looking ? (
      <div data-looking="" className="mt-0.5 flex items-center gap-1 text-note text-warn">
        <Icon name="eye" className="size-4" />
        {looking}
      </div>
    ) : null}
  </>
);

const TONES = { fresh: "text-soft", long: "rounded-full bg-warn-soft px-2 text-warn", late: "rounded-full bg-loss-soft px-2 text-loss" } as const;

/** How long it waits: the colour tells from afar, the words beside it exactly. */
export function Waiting({ since, now }: { since: string; now: number }) {
  const { text, tone } = waitOf(since, now);
  return (
    <time dateTime={since} title={`${instantText(since)} UTC`} data-wait={tone} className={classes("whitespace-nowrap tabular-nums", TONES[tone])}>
      {text}
    </time>
  );
}

/** The way of the money, and where to or from. */
export const Way = ({ request }: { request: MoneyRequest }) => (
  <>
    <div>{wayOf(request)}</div>
    {request.walletAddress ? <Copyable text={request.walletAddress} what="Address" /> : null}
  </>
);

/** How it was decided, by whom, and in which words. */
export function Decision({ request }: { request: MoneyRequest }) {
  const at = "completedAt" in request ? request.completedAt : request.processedAt;
  const words = request.rejectionReason ?? request.adminNotes;
  return (
    <>
      <Badge tone={statusTone(request.status)}>{request.status}</Badge>
      <div className="mt-0.5 text-note text-soft [overflow-wrap:anywhere]">
        {request.decidedBy ?? (request.status === "cancelled" ? "by its owner" : "")}
        {at ? <time dateTime={at}> {instantText(at).slice(0, 16)} UTC</time> : null}
      </div>
      {words ? <div className="whitespace-pre-line text-note [overflow-wrap:anywhere]">{words}</div> : null}
    </>
  );
}

type ActionProps = { request: MoneyRequest; me: string; onAsk: (deed: Deed, id: string) => void };

/** Nobody decides about one's own money. */
export const Decide = ({ request, me, onAsk }: ActionProps) =>
  request.userId === me ? (
    <span className="whitespace-normal text-note text-soft">Your own: another administrator decides</span>
  ) : (
    <span className="js-only inline-flex flex-wrap justify-end gap-2">
      <Button size="small" aria-label={`Approve ${personOf(request)}`} onClick={() => onAsk("approve", request.id)}>
        Approve
      </Button>
      <Button size="small" look="secondary" aria-label={`Reject ${personOf(request)}`} onClick={() => onAsk("reject", request.id)}>
        Reject
      </Button>
    </span>
  );
