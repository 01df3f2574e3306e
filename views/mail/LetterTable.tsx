import type { LetterRow } from "../../src/mail/schema";
import { Badge } from "../ui/Badge";
import { type AdminColumn, AdminTable, Two } from "../ui/staff/AdminTable";
import { kindText, STATES, whenText } from "./words";

export const MAIL_VIEW = "/admin?tab=system&view=mail";

const columns: AdminColumn<LetterRow>[] = [
  {
    key: "kind",
    title: "Letter",
    lead: true,
    roomy: true,
    cell: ({ id, kind, address }) => (
      <Two
        first={
          <a href={`${MAIL_VIEW}&letter=${id}`} className="font-medium text-accent underline-offset-4 hover:underline">
            {kindText(kind)}
          </a>
        }
        second={address}
      />
    ),
  },
  { key: "state", title: "State", cell: ({ status }) => <Badge tone={STATES[status].tone}>{STATES[status].label}</Badge> },
  { key: "answer", title: "Server's answer", roomy: true, cell: ({ answer }) => <Two first={answer ?? "–"} second="" /> },
  { key: "written", title: "Written (UTC)", cell: ({ createdAt }) => <time dateTime={createdAt}>{createdAt.slice(0, 19).replace("T", " ")}</time> },
  { key: "ended", title: "Sent, failed or due (UTC)", cell: (row) => whenText(row) },
];

/** Letters, the newest first. */
export const LetterTable = ({ rows }: { rows: LetterRow[] }) => (
  <AdminTable caption="Letters, newest first" columns={columns} rows={rows} rowKey={({ id }) => id} />
);
