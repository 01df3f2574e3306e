import { type ReactNode, useState } from "react";
import type { ClaimKind, DeskTopic } from "../../src/admin/schema";
import type { StaffDeposit, StaffWithdrawal } from "../../src/funding/schema";
import { askedText, personOf } from "../../views/admin/request_words";
import type { QueueTable } from "../../views/admin/RequestCells";
import { newKey } from "./api";
import { useClaim, useLooking } from "./claims";
import { lookAgain, useLive } from "./live_list";
import { useNow, useQueue } from "./queue";
import { QueueFrame, type QueueQuery } from "./QueueFrame";
import { RejectDialog } from "./RejectDialog";
import { ThresholdButton, useSettings } from "./ThresholdButton";
import { toast } from "./toasts";

export type QueueProps<R> = {
  waiting: R[];
  decided: R[];
  query: QueueQuery;
  me: string;
  now: string;
  /** Above so many USD the amount is typed. */
  confirmAbove: string;
};

type Approval<R> = { request: R; confirmAbove: string; looking: string | null; onClose: () => void };
/** What tells one queue of money requests from the other. */
export type QueueKind<R> = {
  what: "deposits" | "withdrawals";
  claim: ClaimKind & DeskTopic;
  /** The requests of that state, in the order of the query. */
  load: (query: QueueQuery | { q: string; sort: QueueQuery["sort"]; status: "pending" }) => Promise<R[]>;
  waiting: (table: QueueTable<R>) => ReactNode;
  decided: (rows: R[], sort: QueueQuery) => ReactNode;
  approval: (given: Approval<R>) => ReactNode;
  /** What a rejection means, how it is sent, and what is said when it is done. */
  rejection: {
    consequence: (request: R) => string;
    send: (id: string, reason: string, key: string) => Promise<unknown>;
    done: (request: R) => Parameters<typeof toast>[0];
  };
};

/** One queue: what waits with its decision, then what was decided. Both follow what others do, and say who looks at what. */
export function MoneyQueue<R extends StaffDeposit | StaffWithdrawal>({ kind, ...given }: QueueProps<R> & { kind: QueueKind<R> }) {
  const { query, me } = given;
  const settings = useSettings({ confirmAbove: given.confirmAbove });
  const { q, sort } = query;
  const { value, lost } = useLive(
    { waiting: given.waiting, decided: given.decided },
    async () => {
      const [waiting, decided] = await Promise.all([kind.load({ q, sort, status: "pending" }), kind.load(query)]);
      return { waiting, decided };
    },
    [kind.claim],
  );
  const [help, setHelp] = useState(false);
  const queue = useQueue({ rows: value.waiting, me, onHelp: () => setHelp(true) });
  const now = useNow(given.now);
  const looking = useLooking(me);
  const { asked } = queue;
  const others = (asked && looking.get(asked.row.id)) ?? null;
  useClaim(kind.claim, asked?.row.id ?? null);
  const close = () => {
    queue.close();
    void lookAgain();
  };
  return (
    <>
      <QueueFrame
        what={kind.what}
        query={query}
        lost={lost}
        extra={<ThresholdButton settings={settings} />}
        help={help}
        onHelp={setHelp}
        waiting={{
          count: value.waiting.length,
          table: kind.waiting({ rows: value.waiting, me, now, looking, query, current: queue.current, onCurrent: queue.setCurrent, onAsk: queue.ask }),
        }}
        decided={{ rows: value.decided, table: kind.decided(value.decided, query) }}
      />
      {asked?.deed === "approve" ? <div key={asked.row.id}>{kind.approval({ request: asked.row, ...settings, looking: others, onClose: close })}</div> : null}
      {asked?.deed === "reject" ? <Rejection key={asked.row.id} request={asked.row} kind={kind} looking={others} onClose={close} /> : null}
    </>
  );
}

function Rejection<R extends StaffDeposit | StaffWithdrawal>({
  request,
  kind: { rejection },
  looking,
  onClose,
}: {
  request: R;
  kind: QueueKind<R>;
  looking: string | null;
  onClose: () => void;
}) {
  const [key] = useState(newKey);
  return (
    <RejectDialog
      title={`Reject ${askedText(request)}`}
      consequence={rejection.consequence(request)}
      looking={looking}
      send={async (reason) => {
        await rejection.send(request.id, reason, key);
        toast(rejection.done(request));
      }}
      onClose={onClose}
    />
  );
}

/** "Ada Bell was told why." */
export const toldWhy = (request: StaffDeposit | StaffWithdrawal) => `${personOf(request)} was told why.`;
