import type { ReactNode } from "react";
import { may } from "../../src/lib/may";
import type { PendingRegistration } from "../../src/identity/schema";
import { Swipe } from "../../islands/ui/Swipe";
import { Button } from "../ui/Button";
import { BusyButton } from "../ui/staff/BusyButton";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { EmptyState } from "../ui/States";
import { type Selecting, SelectBox } from "../ui/staff/SelectBox";
import { instantText } from "../ui/instant";

type Props = {
  people: PendingRegistration[];
  /** Something is searched for, so nobody found is not nobody waiting. */
  narrowed: boolean;
  /** Which other administrators have a registration open, in words, by the person's id. */
  viewers: ReadonlyMap<string, string>;
  /** Those whose decision is under way. */
  busy: ReadonlySet<string>;
  /** The card that the keys act on. */
  current: string | null;
  onCurrent: (id: string) => void;
  /** What stands in the place of the buttons once somebody decided; null while the person waits. */
  markOf: (person: PendingRegistration) => ReactNode;
  onAsk: (action: "approve" | "reject", id: string) => void;
  onEvidence: (id: string) => void;
  selecting: Selecting;
};

const SOURCES: Record<string, string> = { direct: "Came directly", referral: "Came by a referral", operator: "Made by the operator" };

/** At a desk each person is a row of these columns. */
const COLUMNS = "lg:grid-cols-[2rem_minmax(0,1fr)_9rem_11rem_15rem] lg:gap-x-4";
const LOW = "lg:min-h-8 lg:px-3 lg:text-table";

/** A row for each person who waits; a card on a smaller screen. */
export const RegistrationCards = ({ people, narrowed, viewers, busy, current, onCurrent, markOf, onAsk, onEvidence, selecting }: Props) =>
  people.length === 0 ? (
    <EmptyState icon="check" title={narrowed ? "Nobody found" : "No Pending Registrations"}>
      {narrowed ? "Nobody who waits matches this search." : "Everybody who registered has an answer. New people appear here by themselves."}
    </EmptyState>
  ) : (
    <>
      <div aria-hidden="true" className={classes("max-lg:hidden px-2 py-1 text-table font-medium text-soft border-b border-line lg:grid", COLUMNS)}>
        <span />
        <span>Who</span>
        <span>Registered (UTC)</span>
        <span>By</span>
        <span className="text-right">Actions</span>
      </div>
      <ul aria-label="Pending registrations" className="grid grid-cols-1 gap-2 lg:gap-0">
        {people.map((person) => (
          <li
            key={person.id}
            data-row={person.id}
            data-current={person.id === current ? "" : undefined}
            tabIndex={-1}
            onFocus={() => onCurrent(person.id)}
            className="scroll-my-32 focus-visible:-outline-offset-2 lg:h-10 lg:border-b lg:border-line"
          >
            <Swiped person={person} isOpen={may("registrations.decide") && markOf(person) === null && !busy.has(person.id)} onAsk={onAsk}>
              <Card
                label={nameOf(person)}
                className={classes(
                  "flex h-[7.25rem] flex-col justify-between px-3 py-1.5 md:max-lg:h-15 md:max-lg:flex-row md:max-lg:items-center md:max-lg:gap-3",
                  "lg:grid lg:h-[2.4375rem] lg:items-center lg:rounded-none lg:border-0 lg:px-2 lg:py-0",
                  COLUMNS,
                  markOf(person) !== null
                    ? "bg-sunken"
                    : person.id === current
                      ? "bg-accent-soft/30 lg:shadow-[inset_3px_0_var(--c-accent)]"
                      : "lg:bg-transparent lg:hover:bg-sunken/60",
                )}
              >
                <div className="flex min-w-0 flex-1 items-start gap-2 lg:contents">
                  {may("registrations.decide") && markOf(person) === null ? (
                    <SelectBox id={person.id} name={nameOf(person)} selecting={selecting} />
                  ) : (
                    <span className="max-lg:hidden" />
                  )}
                  <div className="min-w-0 flex-1 lg:contents">
                    <h3 className="truncate text-base font-semibold lg:text-table lg:font-medium lg:leading-4">
                      <a href={`/admin/users/${person.id}`} data-opens="" className="text-ink no-underline underline-offset-4 hover:underline">
                        {nameOf(person)}
                      </a>{" "}
                      <span className="text-table font-normal text-soft lg:block lg:truncate lg:text-note lg:leading-4">{person.email}</span>
                    </h3>
                    {viewers.has(person.id) ? (
                      <p className="truncate text-table text-warn lg:col-span-2">{viewers.get(person.id)}</p>
                    ) : (
                      <p className="truncate text-table text-soft lg:contents">
                        <span>
                          <span className="lg:hidden">Registered </span>
                          <time dateTime={person.createdAt}>{instantText(person.createdAt).slice(0, 16)}</time>
                          <span className="lg:hidden"> UTC. </span>
                        </span>
                        <span>{SOURCES[person.registrationSource] ?? person.registrationSource}</span>
                      </p>
                    )}
                  </div>
                </div>
                {markOf(person) ? (
                  <div className="text-right">{markOf(person)}</div>
                ) : (
                  <Deeds person={person} busy={busy.has(person.id)} onAsk={onAsk} onEvidence={onEvidence} />
                )}
              </Card>
            </Swiped>
          </li>
        ))}
      </ul>
    </>
  );

type DeedProps = Pick<Props, "onAsk" | "onEvidence"> & { person: PendingRegistration; busy: boolean };

/** As wide as a thumb needs on a card, and low in a row; the evidence stands beside the list where there is room for it. */
const Deeds = ({ person, busy, onAsk, onEvidence }: DeedProps) => (
  <div className="js-only grid shrink-0 grid-cols-3 gap-2 lg:flex lg:justify-end lg:gap-1">
    <Button variant="quiet" className={classes(LOW, "xl:hidden")} aria-label={`Evidence for ${nameOf(person)}`} onClick={() => onEvidence(person.id)}>
      Evidence
    </Button>
    {may("registrations.decide") ? (
      <>
        <BusyButton
          variant="quiet"
          className={classes(LOW, "lg:order-1")}
          data-key="r"
          busy={busy}
          aria-label={`Reject ${nameOf(person)}`}
          onClick={() => onAsk("reject", person.id)}
        >
          Reject
        </BusyButton>
        <BusyButton
          variant="secondary"
          className={LOW}
          data-key="a"
          busy={busy}
          aria-label={`Approve ${nameOf(person)}`}
          onClick={() => onAsk("approve", person.id)}
        >
          Approve
        </BusyButton>
      </>
    ) : null}
  </div>
);

type Swiping = { person: PendingRegistration; isOpen: boolean; onAsk: Props["onAsk"]; children: ReactNode };

/** Decided by a finger, too, while it may be decided. */
const Swiped = ({ person: { id }, isOpen, onAsk, children }: Swiping) =>
  isOpen ? (
    <Swipe right={{ label: "Approve", onSwipe: () => onAsk("approve", id) }} left={{ label: "Reject", onSwipe: () => onAsk("reject", id) }}>
      {children}
    </Swipe>
  ) : (
    children
  );

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
