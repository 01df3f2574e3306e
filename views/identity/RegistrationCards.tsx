import type { ReactNode } from "react";
import type { PendingRegistration } from "../../src/identity/schema";
import { Swipe } from "../../islands/ui/Swipe";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { EmptyState } from "../ui/States";
import { type Selecting, SelectBox } from "../ui/staff/SelectBox";
import { dateText, instantText } from "../ui/instant";

type Props = {
  people: PendingRegistration[];
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

/** A card for each person who waits. */
export const RegistrationCards = ({ people, viewers, busy, current, onCurrent, markOf, onAsk, onEvidence, selecting }: Props) =>
  people.length === 0 ? (
    <EmptyState icon="check" title="No Pending Registrations">
      Everybody who registered has an answer. New people appear here by themselves.
    </EmptyState>
  ) : (
    <ul aria-label="Pending registrations" className="grid grid-cols-1 gap-2 md:grid-cols-2 md:gap-3">
      {people.map((person) => (
        <li
          key={person.id}
          data-row={person.id}
          data-current={person.id === current ? "" : undefined}
          tabIndex={-1}
          onFocus={() => onCurrent(person.id)}
          className="scroll-my-32"
        >
          <Swiped person={person} isOpen={markOf(person) === null && !busy.has(person.id)} onAsk={onAsk}>
            <Card
              label={nameOf(person)}
              className={classes(
                "flex h-[7.25rem] flex-col justify-between px-3 py-1.5",
                person.id === current && "bg-accent-soft/60",
                markOf(person) !== null && "bg-sunken",
              )}
            >
              <div className="flex items-start gap-2">
                {markOf(person) === null ? <SelectBox id={person.id} name={nameOf(person)} selecting={selecting} /> : null}
                <div className="min-w-0 flex-1">
                  <h3 className="truncate text-base font-semibold">
                    <a href={`/admin/users/${person.id}`} data-opens="" className="text-ink no-underline underline-offset-4 hover:underline">
                      {nameOf(person)}
                    </a>{" "}
                    <span className="text-table font-normal text-soft">{person.email}</span>
                  </h3>
                  {viewers.has(person.id) ? (
                    <p className="truncate text-table text-warn">{viewers.get(person.id)}</p>
                  ) : (
                    <p className="truncate text-table text-soft">
                      Registered{" "}
                      <time dateTime={person.createdAt}>
                        {dateText(person.createdAt)}, {instantText(person.createdAt).slice(11, 16)} UTC
                      </time>
                      . {SOURCES[person.registrationSource] ?? person.registrationSource}.
                    </p>
                  )}
                </div>
              </div>
              {markOf(person) ?? (
                <div className="js-only grid grid-cols-3 gap-2">
                  <Button variant="quiet" aria-label={`Evidence for ${nameOf(person)}`} onClick={() => onEvidence(person.id)}>
                    Evidence
                  </Button>
                  <Button
                    variant="quiet"
                    data-key="r"
                    disabled={busy.has(person.id)}
                    aria-label={`Reject ${nameOf(person)}`}
                    onClick={() => onAsk("reject", person.id)}
                  >
                    Reject
                  </Button>
                  <Button
                    variant="secondary"
                    data-key="a"
                    disabled={busy.has(person.id)}
                    aria-label={`Approve ${nameOf(person)}`}
                    onClick={() => onAsk("approve", person.id)}
                  >
                    Approve
                  </Button>
                </div>
              )}
            </Card>
          </Swiped>
        </li>
      ))}
    </ul>
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
