import { type ReactNode, useState } from "react";
import { may } from "../../src/lib/may";
import type { QueueKind } from "../../src/admin/schema_queues";
import { type Selection, useSelectionKeys } from "../runtime/select_rows";
import { untilText } from "../runtime/snoozes";
import type { Steady } from "../runtime/steady";
import type { Together } from "../runtime/together";
import { takeBack } from "./AwayList";
import { EvidenceDialog, EvidencePanel } from "./EvidencePanel";
import { SelectBar } from "./SelectBar";
import { SnoozeDialog } from "./SnoozeDialog";
import { TogetherDialog, type TogetherWords } from "./TogetherDialog";

type Row = { id: string };
type Given<R, T> = {
  list: Steady<R>;
  /** The row that the keys were moved to, by its id. */
  current: string | null;
  /** All that is known to wait. */
  known: R[];
  /** Where rows are decided about together. */
  selection?: Selection<R>;
  together?: Together<R, T>;
  /** Whether rows can be put away by a key; unsaid, they can. */
  putsAway?: boolean;
};
/** Nothing is selected in a list whose rows are decided about one by one. */
const NONE = { rows: [], toggleAll: () => {}, clear: () => {} };
export type Side<R, T> = Given<R, T> & {
  /** What the keys would decide about: the first row, until another is chosen. */
  atHand: R | null;
  /** Whose evidence was asked for, and who is being put away. */
  opened: R | null;
  snoozed: R | null;
  show: (id: string | null) => void;
  /** Asks until when this row is to be put away. */
  putAway: (row: R | null) => void;
  /** Brings one back that the reader put away; false where that failed. */
  back: (id: string) => Promise<boolean>;
};

/** What a queue has beside its rows: the evidence for one, the decision about many, and putting away. With the keys for these. */
export function useQueueSide<R extends Row, T>(given: Given<R, T>): Side<R, T> {
  const { list, current, known, selection, together, putsAway = true } = given;
  const [snoozed, setSnoozed] = useState<R | null>(null);
  const [shown, show] = useState<string | null>(null);
  const atHand = list.open.find(({ id }) => id === current) ?? list.open[0] ?? null;
  useSelectionKeys(
    selection ?? NONE,
    () => selection && together?.ask(selection.rows),
    () => putsAway && may("queues.work") && setSnoozed(atHand),
  );
  const putAway = (row: R | null) => {
    show(null);
    setSnoozed(row);
  };
  const back = async (id: string) => {
    list.admit(id);
    const done = await takeBack(id);
    if (done) list.reopen(id);
    return done;
  };
  return { ...given, atHand, opened: known.find(({ id }) => id === shown) ?? null, snoozed, show, putAway, back };
}

type Props<R, T> = {
  side: Side<R, T>;
  kind: QueueKind;
  words?: TogetherWords<R, T>;
  title: (row: R) => string;
  name: (row: R) => string;
  evidence: (row: R) => ReactNode;
  /** Whether there is no client whom evidence could tell of; unsaid, there is one. */
  nobody?: (row: R) => boolean;
};

export function QueueSide<R extends Row, T>({ side, kind, words, title, name, evidence, nobody = () => false }: Props<R, T>) {
  const { list, selection, together, atHand, opened, snoozed, show, putAway, back } = side;
  return (
    <>
      {atHand ? (
        <EvidencePanel kind={kind} id={atHand.id} title={title(atHand)} nobody={nobody(atHand)}>
          {evidence(atHand)}
        </EvidencePanel>
      ) : null}
      {opened ? (
        <EvidenceDialog key={opened.id} kind={kind} id={opened.id} title={title(opened)} nobody={nobody(opened)} onClose={() => show(null)}>
          {evidence(opened)}
        </EvidenceDialog>
      ) : null}
      {selection && together && words ? <SelectBar selection={selection} together={together} what={words.what} /> : null}
      {selection && together?.isOpen && words ? (
        <TogetherDialog
          together={together}
          words={words}
          onOver={() => {
            selection.clear();
            together.hide();
          }}
        />
      ) : null}
      {snoozed ? (
        <SnoozeDialog
          key={snoozed.id}
          kind={kind}
          id={snoozed.id}
          name={name(snoozed)}
          onClose={(until) => {
            if (until) list.decide(snoozed.id, { text: `Put away until ${untilText(until)}`, undo: () => back(snoozed.id) });
            putAway(null);
          }}
        />
      ) : null}
    </>
  );
}
