import { may } from "../../src/lib/may";
import { Copyable } from "../../islands/ui/Copyable";
import type { Ways } from "../ui/staff/swiping";
import { Badge, statusTone } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { classes } from "../ui/classes";
import { instantText } from "../ui/instant";
import type { ListQuery } from "../ui/staff/address";
import { type AdminColumn, ClientLink, Two } from "../ui/staff/AdminTable";
import { type Selecting, SelectBox } from "../ui/staff/SelectBox";
import { askedText, isDeposit, type MoneyRequest, personOf, wayOf } from "./request_words";
import { waitOf } from "../ui/staff/waits";
import { PLACE_WORDS } from "./words";

export type RequestAction = "approve" | "reject";

/** What a table of waiting requests is given: its rows, the clock, and the row that the keys act on. */
export type QueueTable<R> = {
  rows: R[];
  me: string;
  now: number;
  /** Which other administrators have a request open, in words, by its id. */
  viewers: ReadonlyMap<string, string>;
  query: ListQuery;
  current: string | null;
  onCurrent: (id: string) => void;
  onAsk: (action: RequestAction, id: string) => void;
  selecting: Selecting;
  /** Shows the evidence where there is no room for it beside the list. */
  onEvidence: (id: string) => void;
};

/** Whose request it is, and who else has it open. */
export const Who = ({ request, viewers }: { request: MoneyRequest; viewers?: string | undefined }) => (
  <div className="relative">
    <ClientLink id={request.userId} name={personOf(request)} email={request.email} />
    {viewers ? (
      // Over the address, not under it: no row grows because a colleague came.
      <div
        data-looking=""
        className="absolute bottom-0 left-0 flex max-w-full items-center gap-1 whitespace-nowrap rounded-control bg-paper pr-2 text-note text-warn"
      >
        <Icon name="eye" className="size-4 shrink-0" />
        <span className="truncate">{viewers}</span>
      </div>
    ) : null}
  </div>
);

const TONES = { fresh: "text-soft", long: "rounded-full bg-warn-soft px-2 text-warn", late: "rounded-full bg-loss-soft px-2 text-loss" } as const;

/** How long it waits: the colour tells from afar, the words beside it exactly. */
function Waiting({ since, now }: { since: string; now: number }) {
  const { text, tone } = waitOf(since, now);
  return (
    <time dateTime={since} data-tip={`${instantText(since)} UTC`} data-wait={tone} className={classes("price-text", TONES[tone])}>
      {text}
    </time>
  );
}

/** The way of the money, and where to or from. */
export const Way = ({ request }: { request: MoneyRequest }) => (
  <>
    <div className="line">{wayOf(request)}</div>
    {request.walletAddress ? (
      <div className="line">
        <Copyable text={request.walletAddress} what={PLACE_WORDS[request.method]} />
      </div>
    ) : null}
  </>
);

/** How it was decided, by whom, and in which words. */
export function Decision({ request }: { request: MoneyRequest }) {
  const at = "completedAt" in request ? request.completedAt : request.processedAt;
  const words = request.rejectionReason ?? request.adminNotes;
  return (
    <Two
      first={
        <>
          <Badge tone={statusTone(request.status)}>{request.status}</Badge>{" "}
          <span className="text-note text-soft">
            {at ? <time dateTime={at}>{instantText(at).slice(0, 16)} UTC </time> : null}
            {request.decidedBy ?? (request.status === "cancelled" ? "by its owner" : "")}
          </span>
        </>
      }
      second={words ? <span className="whitespace-pre-line text-ink">{words}</span> : ""}
    />
  );
}

type ActionProps = { request: MoneyRequest } & Pick<QueueTable<MoneyRequest>, "me" | "onAsk" | "onEvidence">;

/** Whether the page's reader decides about requests of this kind at all. */
export const decides = (request: MoneyRequest): boolean => may(isDeposit(request) ? "deposits.decide" : "withdrawals.decide");

/** Nobody decides about one's own money. */
const Decide = ({ request, me, onAsk, onEvidence }: ActionProps) =>
  request.userId === me ? (
    <span className="whitespace-normal text-note text-soft">Your own: another administrator decides</span>
  ) : (
    <span className="js-only inline-flex justify-end gap-2 max-lg:flex-wrap">
      {decides(request) ? (
        <>
          <Button
            size="small"
            variant="secondary"
            aria-label={`Approve ${personOf(request)}, ${askedText(request)}`}
            onClick={() => onAsk("approve", request.id)}
          >
            Approve
          </Button>
          <Button size="small" variant="quiet" aria-label={`Reject ${personOf(request)}, ${askedText(request)}`} onClick={() => onAsk("reject", request.id)}>
            Reject
          </Button>
        </>
      ) : null}
      <Button
        size="small"
        variant="quiet"
        className="xl:hidden"
        data-opens=""
        aria-label={`Evidence for ${personOf(request)}, ${askedText(request)}`}
        onClick={() => onEvidence(request.id)}
      >
        Evidence
      </Button>
    </span>
  );

/** Whether somebody may decide about it now, and so select it: nobody about one's own, and nothing whose worth in dollars is not known. */
export const mayDecide = (request: MoneyRequest, me: string): boolean =>
  decides(request) && request.userId !== me && !(isDeposit(request) && request.creditsUsd === null);

/** The two ways of a finger. */
export const requestWays =
  <R extends MoneyRequest>({ me, onAsk }: Pick<QueueTable<R>, "me" | "onAsk">) =>
  (request: R): Ways | null =>
    request.userId === me || !decides(request)
      ? null
      : { right: { label: "Approve", onSwipe: () => onAsk("approve", request.id) }, left: { label: "Reject", onSwipe: () => onAsk("reject", request.id) } };

/** Selects the request for a decision about many together. */
export const selectColumn = <R extends MoneyRequest>({ me, selecting }: Pick<QueueTable<R>, "me" | "selecting">): AdminColumn<R> => ({
  key: "select",
  title: "Select",
  width: "lg:w-16",
  cell: (request) => (mayDecide(request, me) ? <SelectBox id={request.id} name={`${personOf(request)}, ${askedText(request)}`} selecting={selecting} /> : null),
});

/** How long each request waits, and the decision on it. */
export const decisionColumns = <R extends MoneyRequest>({
  me,
  now,
  onAsk,
  onEvidence,
}: Pick<QueueTable<R>, "me" | "now" | "onAsk" | "onEvidence">): AdminColumn<R>[] => [
  {
    key: "wait",
    low: "brief",
    title: "Waiting",
    sort: "wait",
    inverse: true,
    width: "lg:w-24",
    cell: ({ createdAt }) => <Waiting since={createdAt} now={now} />,
  },
  { key: "actions", title: "Actions", numeric: true, width: "lg:w-68 xl:w-42", cell: (request) => <Decide {...{ request, me, onAsk, onEvidence }} /> },
];
