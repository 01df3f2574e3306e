import type { PendingRegistration } from "../../src/identity/schema";
import { Badge } from "../ui/Badge";
import { Button } from "../ui/Button";
import { Card } from "../ui/Card";
import { EmptyState } from "../ui/States";
import { dateText, instantText } from "../portal/instant";

type Props = {
  people: PendingRegistration[];
  /** Who else looks at a registration, in words, by the person's id. */
  looking: ReadonlyMap<string, string>;
  /** Those whose decision is under way. */
  busy: ReadonlySet<string>;
  onApprove: (person: PendingRegistration) => void;
  onReject: (person: PendingRegistration) => void;
};

const SOURCES: Record<string, string> = { direct: "Came directly", referral: "Came by a referral", operator: "Made by the operator" };

/** A card for each person who waits, the newest first. */
export const RegistrationCards = ({ people, looking, busy, onApprove, onReject }: Props) =>
  people.length === 0 ? (
    <EmptyState icon="check" title="No Pending Registrations">
      Everybody who registered has an answer. New people appear here by themselves.
    </EmptyState>
  ) : (
    <ul aria-label="Pending registrations" className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
      {people.map((person) => (
        <li key={person.id} data-row={person.id}>
          <Card label={nameOf(person)} className="flex h-full flex-col gap-3 p-4">
            <div className="flex items-start justify-between gap-3">
              <div className="min-w-0">
                <h2 className="text-base font-semibold [overflow-wrap:anywhere]">{nameOf(person)}</h2>
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
            {looking.has(person.id) ? <p className="text-note text-warn">{looking.get(person.id)}</p> : null}
            <div className="js-only mt-auto grid grid-cols-2 gap-2">
              <Button disabled={busy.has(person.id)} aria-label={`Approve ${nameOf(person)}`} onClick={() => onApprove(person)}>
                Approve
              </Button>
              <Button look="danger" disabled={busy.has(person.id)} aria-label={`Reject ${nameOf(person)}`} onClick={() => onReject(person)}>
                Reject
              </Button>
            </div>
          </Card>
        </li>
      ))}
    </ul>
  );

export const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }) => `${firstName} ${lastName}`;
