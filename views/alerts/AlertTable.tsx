import type { ReactNode } from "react";
import type { Alert } from "../../src/alerts/schema";
import { instantText } from "../ui/instant";
import { Badge } from "../ui/Badge";
import { type Column, Table } from "../ui/Table";
import { alertPrice, conditionText } from "./words";

type Props = { caption: string; alerts: Alert[]; actions: (alert: Alert) => ReactNode };

/** Alerts in a table: what each waits for, or what became of it. Times in UTC. */
export const AlertTable = ({ caption, alerts, actions }: Props) => {
  const columns: Column<Alert>[] = [
    { key: "symbol", title: "Instrument", lead: true, cell: ({ symbol }) => symbol },
    {
      key: "alert",
      title: "Alert",
      cell: (alert) => (
        <div className="min-w-0 max-md:text-right">
          <span className="block first-letter:uppercase">{conditionText(alert)}</span>
          {alert.note ? <span className="block text-note text-soft [overflow-wrap:anywhere]">{alert.note}</span> : null}
        </div>
      ),
    },
    { key: "status", title: "Status", cell: ({ status }) => <Badge tone={TONES[status]}>{WORDS[status]}</Badge> },
    { key: "when", title: "When (UTC)", cell: (alert) => <When {...alert} /> },
    { key: "actions", title: "Actions", numeric: true, cell: actions },
  ];
  return <Table caption={caption} columns={columns} rows={alerts} rowKey={({ id }) => id} />;
};

const WORDS = { active: "Active", fired: "Fired", expired: "Expired" } as const;
const TONES = { active: "default", fired: "gain", expired: "secondary" } as const;

function When({ symbol, status, createdAt, expiresAt, firedAt, firedPrice, quoteId }: Alert) {
  if (status === "fired" && firedAt && firedPrice)
    return (
      <div className="tabular-nums max-md:text-right">
        {instantText(firedAt)}
        <span className="block text-note text-soft">{`at ${alertPrice(firedPrice, symbol)}, quote No. ${quoteId}`}</span>
      </div>
    );
  return (
    <div className="tabular-nums max-md:text-right">
      {`set ${instantText(createdAt)}`}
      <span className="block text-note text-soft">
        {expiresAt ? `${status === "expired" ? "ran out" : "until"} ${instantText(expiresAt)}` : "until deleted"}
      </span>
    </div>
  );
}
