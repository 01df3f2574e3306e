import type { ReactNode } from "react";
import type { PendingRegistration } from "../../src/identity/schema";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { classes } from "../ui/classes";
import { EmptyState } from "../ui/States";
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
};

const SOURCES: Record<string, string> = { direct: "Came directly", referral: "Came by a referral", operator: "Made by the operator" };

/** A card for each person who waits. */
export const RegistrationCards = ({ people, viewers, busy, current, onCurrent, markOf, onAsk }: Props) =>
  people.length === 0 ? (
    <EmptyState icon="check" title="No Pending Registrations">
      Everybody who registered has an answer. New people appear here by themselves.
    </EmptyState>
  ) : (
    <ul aria-label="Pending registrations" className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {people.map((person) => (
        <li
          key={person.id}
          data-row={person.id}
          data-current={person.id === current ? "" : undefined}
          tabIndex={-1}
          onFocus={() => onCurrent(person.id)}
          className="scroll-my-32"
        >
          <Card
            label={nameOf(person)}
            className={classes("flex h-full flex-col gap-3 p-4", person.id === current && "bg-accent-soft/60", markOf(person) !== null && "bg-sunken")}
          >
            <div className="flex items-start justify-between gap-3">
              <div className="min-w-0">
                <h3 className="text-base font-semibold [overflow-wrap:anywhere]">
                  <a href={`/admin/users/${person.id}`} data-opens="" className="text-ink no-underline underline-offset-4 hover:underline">
                    {nameOf(person)}
                  </a>
                </h3>
                <p className="text-soft [overflow-wrap:anywhere]">{person.email}</p>
              </div>
              <Badge tone="secondary">pending</Badge>
            </div>
            <p className="text-table text-soft">
              Registered{" "}
              <time dateTime={person.createdAt}>
                {dateText(person.createdAt)}, {instantText(person.createdAt).slice(11, 16)} UTC
              </time>
              . {SOURCES[person.registrationSource] ?? person.registrationSource}.
            </p>
            <p className="min-h-5 text-note text-warn">{viewers.get(person.id)}</p>
            {markOf(person) ?? (
              <div className="js-only mt-auto grid grid-cols-2 gap-2">
                <Button
                  variant="secondary"
                  data-key="a"
                  disabled={busy.has(person.id)}
                  aria-label={`Approve ${nameOf(person)}`}
                  onClick={() => onAsk("approve", person.id)}
                >
                  Approve
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
              </div>
            )}
          </Card>
        </li>
      ))}
    </ul>
  );

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
