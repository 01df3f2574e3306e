import { may } from "../../src/lib/may";
import type { RoleRequest } from "../../src/identity/schema_roles";
import { Button } from "../ui/Button";
import { instantText } from "../ui/instant";
import { AdminTable, ClientLink, Two } from "../ui/staff/AdminTable";

type Props = {
  rows: RoleRequest[];
  me: string;
  /** Who put it away, by the request's id. */
  viewers: ReadonlyMap<string, string>;
  onAsk: (word: "confirm" | "decline", request: RoleRequest) => void;
  onEvidence: (id: string) => void;
};

/** Who is to become an administrator. */
export const RoleTable = ({ rows, me, viewers, onAsk, onEvidence }: Props) => (
  <AdminTable
    caption="New administrators that wait for a second one"
    heads="still"
    rowKey={({ id }) => id}
    rows={rows}
    columns={[
      {
        key: "who",
        title: "Who",
        lead: true,
        roomy: true,
        width: "lg:w-[22%]",
        cell: ({ userId, firstName, lastName, email }) => <ClientLink id={userId} name={`${firstName} ${lastName}`} email={email} />,
      },
      {
        key: "reason",
        title: "Asked for by",
        roomy: true,
        cell: ({ id, reason, administrator, createdAt }) => (
          <Two first={reason} second={viewers.get(id) ?? `${administrator}, ${instantText(createdAt).slice(0, 16)} UTC`} />
        ),
      },
      {
        key: "actions",
        title: "Actions",
        numeric: true,
        width: "lg:w-72",
        cell: (request) => (
          <span className="js-only inline-flex justify-end gap-1 max-lg:flex-wrap">
            <Button
              size="small"
              variant="quiet"
              data-opens=""
              aria-label={`Evidence for ${request.firstName} ${request.lastName}`}
              onClick={() => onEvidence(request.id)}
            >
              Evidence
            </Button>
            {request.adminUserId === me || !may("roles.give") ? (
              <span className="self-center text-note text-soft">Another administrator decides</span>
            ) : (
              <>
                <Button
                  size="small"
                  variant="secondary"
                  data-key="a"
                  aria-label={`Confirm ${request.firstName} ${request.lastName} as an administrator`}
                  onClick={() => onAsk("confirm", request)}
                >
                  Confirm
                </Button>
                <Button
                  size="small"
                  variant="quiet"
                  data-key="r"
                  aria-label={`Decline ${request.firstName} ${request.lastName} as an administrator`}
                  onClick={() => onAsk("decline", request)}
                >
                  Decline
                </Button>
              </>
            )}
          </span>
        ),
      },
    ]}
  />
);
