import { useState } from "react";
import type { Snooze } from "../../src/admin/schema_queues";
import { listRoleRequests, type RoleRequest } from "../../src/identity/schema_roles";
import { RoleTable } from "../../views/identity/RoleTable";
import { Button } from "../../views/ui/Button";
import { Notice } from "../../views/ui/States";
import { island } from "../runtime/island";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { refreshLists, useLive } from "../runtime/live_list";
import { untilText, useParted, useSnoozes } from "../runtime/snoozes";
import { idOf, useSteady } from "../runtime/steady";
import { AwayList, takeBack } from "../ui/AwayList";
import { EvidenceDialog } from "../ui/EvidencePanel";
import { Fresh, Marked } from "../ui/Fresh";
import { SnoozeDialog } from "../ui/SnoozeDialog";
import { call } from "../wire/api";
import { RoleVerdict, type RoleWord } from "./RoleVerdict";

const nameOf = ({ firstName, lastName }: RoleRequest) => `${firstName} ${lastName}`;
/** Who has waited longest first; there are never many. */
const oldestFirst = (requests: RoleRequest[]) => requests.toReversed();

/** Who is to become an administrator and waits for a second one's word: decided here, with what is known of the person a press away. */
export function RoleQueue({ requests, me, snoozes }: { requests: RoleRequest[]; me: string; snoozes: Snooze[] }) {
  const { value } = useLive(oldestFirst(requests), async () => oldestFirst(await call(listRoleRequests, undefined, { query: {} })), ["person"]);
  const { mine, others } = useSnoozes("role", me, snoozes);
  const [here, away] = useParted(value, mine);
  const [list, area] = useSteady(here, idOf);
  const [asked, setAsked] = useState<{ word: RoleWord; request: RoleRequest } | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const [snoozed, setSnoozed] = useState<RoleRequest | null>(null);
  const opened = value.find(({ id }) => id === shown) ?? null;
  const back = async (id: string) => {
    list.admit(id);
    const done = await takeBack(id);
    if (done) list.reopen(id);
    return done;
  };
  const viewers = viewersOf(list.open, new Map([...others, ...useViewers(me)]));
  useClaim("role", asked?.request.id ?? null);
  // Over the users, whom it would move: what comes waits where it moves nothing.
  const fresh = <Fresh list={list} floats="higher" />;
  if (list.rows.length === 0 && away.length === 0)
    return (
      <div ref={area} className="-mb-1">
        {fresh}
      </div>
    );
  return (
    <div ref={area}>
      {fresh}
      <Notice kind="warning" title="New administrators that wait for a second one">
        {list.rows.length > 0 ? (
          <Marked list={list}>
            <RoleTable rows={list.rows} me={me} viewers={viewers} onAsk={(word, request) => setAsked({ word, request })} onEvidence={setShown} />
          </Marked>
        ) : null}
        <AwayList rows={away.map((row) => ({ id: row.id, name: nameOf(row), until: mine.get(row.id) ?? "" }))} onBack={(id) => void back(id)} />
      </Notice>
      {opened ? (
        <EvidenceDialog key={opened.id} kind="role" id={opened.id} title={nameOf(opened)} onClose={() => setShown(null)}>
          <p className="text-table [overflow-wrap:anywhere]">
            {opened.administrator} wants to make {nameOf(opened)} an administrator: {opened.reason}
          </p>
          <Button
            variant="secondary"
            size="small"
            className="self-start"
            onClick={() => {
              setShown(null);
              setSnoozed(opened);
            }}
          >
            Put away...
          </Button>
        </EvidenceDialog>
      ) : null}
      {snoozed ? (
        <SnoozeDialog
          key={snoozed.id}
          kind="role"
          id={snoozed.id}
          name={nameOf(snoozed)}
          onClose={(until) => {
            if (until) list.decide(snoozed.id, { text: `Put away until ${untilText(until)}`, undo: () => back(snoozed.id) });
            setSnoozed(null);
          }}
        />
      ) : null}
      {asked ? (
        <RoleVerdict
          key={asked.request.id}
          {...asked}
          onClose={(done) => {
            if (done) list.decide(asked.request.id, { text: asked.word === "confirm" ? "Confirmed" : "Declined" });
            setAsked(null);
            void refreshLists();
          }}
        />
      ) : null}
    </div>
  );
}

export default island("RoleQueue", RoleQueue);
