import { useEffect, useState } from "react";
import { may } from "../../src/lib/may";
import { waitingCounts } from "../../src/admin/schema";
import type { SavedFilter, Snooze } from "../../src/admin/schema_queues";
import {
  approveRegistration,
  approveRegistrations,
  listPendingRegistrations,
  type PendingRegistration,
  rejectRegistration,
  undoRegistration,
} from "../../src/identity/schema";
import { nameOf, RegistrationCards } from "../../views/identity/RegistrationCards";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { Icon } from "../../views/ui/Icon";
import { dayFields, FilterMenu, SearchForm } from "../../views/ui/staff/Filters";
import { call } from "../wire/api";
import { useClaim, useViewers, viewersOf } from "../runtime/claims";
import { attempt } from "../wire/attempt";
import { ActionDialog } from "../ui/ActionDialog";
import { Fresh, markOf } from "../ui/Fresh";
import { useQueue } from "../runtime/queue_keys";
import { idOf, useSteady } from "../runtime/steady";
import { upTo } from "../runtime/up_to";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";
import { AwayList } from "../ui/AwayList";
import { QueueSide, useQueueSide } from "../ui/QueueSide";
import { SavedFilters } from "../ui/SavedFilters";
import type { TogetherWords } from "../ui/TogetherDialog";
import { SelectAll } from "../../views/ui/staff/SelectBox";
import { useSelection } from "../runtime/select_rows";
import { useParted, useSnoozes } from "../runtime/snoozes";
import { useTogether } from "../runtime/together";
import { sendOnce } from "../wire/intent";
import { toast } from "../wire/toasts";

type Props = {
  people: PendingRegistration[];
  total: number;
  me: string;
  snoozes: Snooze[];
  filters: SavedFilter[];
  query: { q: string; from: string; to: string };
};
const AT = "/admin-registrations?";
/** Of those who wait, so many are shown at first, and again with each press. */
const PAGE = 100;
type Queued = PendingRegistration & { userId: string };
const queued = (people: PendingRegistration[]): Queued[] => people.map((person) => ({ ...person, userId: person.id }));

/** Who waits for an answer, who has waited longest first. The list follows what others register and decide, and moves nothing under a hand. */
export function AdminRegistrations({ people, total, me, snoozes: firstSnoozes, filters, query }: Props) {
  const [wanted, setWanted] = useState(PAGE);
  const { mine, others } = useSnoozes("registration", me, firstSnoozes);
  const { value, lost, again } = useLive(
    { people: queued(people), total },
    async () => {
      const [rows, counts] = await Promise.all([
        upTo(wanted + mine.size, (page) => call(listPendingRegistrations, undefined, { query: { sort: "created", ...query, ...page } })),
        call(waitingCounts),
      ]);
      return { people: queued(rows), total: counts.registrations };
    },
    ["person"],
  );
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [rejected, setRejected] = useState<PendingRegistration | null>(null);
  const [here, away] = useParted(value.people, mine);
  const [list, area] = useSteady(here, idOf, wanted);
  useEffect(() => void (wanted > PAGE && again()), [wanted, again]);
  const viewers = useViewers(me);
  useClaim("registration", rejected?.id ?? null);

  const undo = (person: PendingRegistration) => async () => {
    const done = await attempt("Undo Failed", () => call(undoRegistration, undefined, { params: { userId: person.id } }));
    await refreshLists();
    if (done) {
      list.reopen(person.id);
      toast({ title: "Decision undone", description: `${nameOf(person)} waits again.` });
    }
    return done !== null;
  };
  const approve = async (person: PendingRegistration) => {
    if (busy.has(person.id)) return;
    setBusy((now) => new Set(now).add(person.id));
    const done = await attempt("Approval Failed", () => call(approveRegistration, undefined, { params: { userId: person.id } }));
    if (done) {
      list.decide(person.id, { text: "Approved", undo: undo(person) });
      toast({ title: "Registration Approved!", description: `${done.user.email} can now trade live and withdraw.` });
    }
    await refreshLists();
    setBusy((now) => new Set([...now].filter((id) => id !== person.id)));
  };
  const queue = useQueue({
    rows: list.open,
    me,
    needs: "registrations.decide",
    onAsk: (action, person) => (action === "approve" ? void approve(person) : setRejected(person)),
  });
  const selection = useSelection(may("registrations.decide") ? list.open : []);
  const together = useTogether<Queued, { id: string }>(
    (rows) => sendOnce(approveRegistrations, { ids: rows.map(({ id }) => id) }),
    ({ id, code }) => {
      const person = value.people.find((each) => each.id === id);
      if (code === null && person) list.decide(id, { text: "Approved", undo: undo(person) });
    },
  );
  const side = useQueueSide({ list, current: queue.current, known: value.people, selection, together });
  const evidenceOf = (person: Queued) => (
    <div className="text-table">
      <p className="text-soft [overflow-wrap:anywhere]">{person.email}</p>
      {may("queues.work") ? (
        <Button variant="secondary" size="small" className="mt-2" onClick={() => side.putAway(person)}>
          Put away...
        </Button>
      ) : null}
    </div>
  );
  const isNarrowed = Object.values(query).some(Boolean);
  const more = value.people.length >= wanted + mine.size && (isNarrowed || value.total > value.people.length);
  const count = more && !isNarrowed ? value.total : list.open.length + list.fresh + away.length;
  return (
    <div ref={area} className="xl:grid xl:grid-cols-[minmax(0,1fr)_21rem] xl:gap-6">
      <div className="min-w-0">
        <div className="relative mb-1 flex flex-wrap items-center gap-x-4">
          <h2 className="flex items-center gap-2 text-product font-semibold">
            Pending Registrations
            <span
              aria-label={`${count} waiting`}
              role="img"
              className={
                count ? "rounded-full bg-warn-soft px-2 text-note tabular-nums text-warn" : "rounded-full bg-sunken px-2 text-note tabular-nums text-soft"
              }
            >
              {count.toLocaleString("en-US")}
            </span>
          </h2>
          {may("registrations.decide") && list.open.length > 0 ? (
            <SelectAll checked={selection.isAll} some={selection.rows.length > 0} onToggle={selection.toggleAll} />
          ) : null}
          <SearchForm at={AT} query={query} label="Search by name, email or ID" />
          <FilterMenu at={AT} query={query} label="Days" fields={dayFields("Registered from")} />
          <SavedFilters queue="registrations" query={query} filters={filters} />
          <Fresh list={list} />
          <a href="/admin" className="ml-auto inline-flex min-h-11 items-center gap-1 text-table text-accent underline-offset-4 hover:underline md:min-h-9">
            <Icon name="arrowLeft" className="size-4" />
            Back to the control panel
          </a>
        </div>
        {lost ? <LostNotice /> : null}
        <RegistrationCards
          narrowed={isNarrowed}
          people={list.rows}
          viewers={viewersOf(list.open, new Map([...others, ...viewers]))}
          busy={busy}
          current={queue.current}
          onCurrent={queue.setCurrent}
          markOf={(person) => markOf(list, person.id, nameOf(person), () => "No longer waiting")}
          onAsk={queue.ask}
          onEvidence={side.show}
          selecting={selection}
        />
        {more ? (
          <Button variant="secondary" className="js-only mt-3" onClick={() => setWanted(wanted + PAGE)}>
            Show more that wait
          </Button>
        ) : null}
        <AwayList
          rows={away.map((person) => ({ id: person.id, name: nameOf(person), until: mine.get(person.id) ?? "" }))}
          onBack={(id) => void side.back(id)}
        />
      </div>
      <QueueSide side={side} kind="registration" words={WORDS} title={nameOf} name={nameOf} evidence={evidenceOf} />
      {rejected ? (
        <ActionDialog
          key={rejected.id}
          id="rejection"
          title={`Reject ${nameOf(rejected)}`}
          consequence={`Signs ${nameOf(rejected)} out and refuses sign-in with the reason.`}
          schema={rejectRegistration.body}
          names={["reason"]}
          fields={(messages) => (
            <TextField
              id="rejection-reason"
              name="reason"
              label="Reason (optional)"
              hint="Left empty: Registration does not meet requirements"
              rows={3}
              maxLength={500}
              error={messages.reason}
            />
          )}
          submit="Reject"
          busy="Rejecting..."
          danger
          failed="Rejection Failed"
          send={async ({ reason }) => {
            const { user } = await call(rejectRegistration, { reason: reason ?? "" }, { params: { userId: rejected.id } });
            toast({ title: "Registration Rejected", description: `${user.email} was told why.` });
          }}
          onClose={(done) => {
            if (done) list.decide(rejected.id, { text: "Rejected", undo: undo(rejected) });
            setRejected(null);
            void refreshLists();
          }}
        />
      ) : null}
    </div>
  );
}

const WORDS: TogetherWords<Queued, { id: string }> = {
  what: (people) => (people.length === 1 ? "1 registration" : `${people.length} registrations`),
  consequence: (people) =>
    `${people.length === 1 ? "This person" : `These ${people.length} people`} can then trade live, move money into live accounts and withdraw.`,
  name: (person) => `${nameOf(person)}, ${person.email}`,
  person: ({ id }) => id,
  done: () => "approved",
  typed: () => null,
};

export default island("AdminRegistrations", AdminRegistrations);
