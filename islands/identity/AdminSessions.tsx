import { useState } from "react";
import { may } from "../../src/lib/may";
import { endMemberSession, listMemberSessions, type Session } from "../../src/identity/schema";
import { deviceText } from "../../views/ui/device";
import { type AdminColumn, AdminTable, Two } from "../../views/ui/staff/AdminTable";
import { instantText } from "../../views/ui/instant";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { island } from "../runtime/island";
import { refreshLists, useLive } from "../runtime/live_list";
import { toast } from "../wire/toasts";

type Props = { userId: string; name: string; sessions: Session[]; /** True on the reader's own page. */ own: boolean };

/** Staff's stream does not carry sign-ins, so the list is fetched every so many ms. */
const EVERY_MS = 15_000;

/** Where a person is signed in, each session with the way to end it. */
export function AdminSessions({ userId, name, sessions, own }: Props) {
  const { value } = useLive(sessions, () => call(listMemberSessions, undefined, { params: { id: userId } }), ["person"], { every: EVERY_MS });
  const [busy, setBusy] = useState(false);
  const end = async (id: string) => {
    setBusy(true);
    const ended = await attempt("Error", async () => {
      await call(endMemberSession, undefined, { params: { id } });
      return true;
    });
    if (ended) toast({ title: "Session ended", description: `${name} is signed out on that device.` });
    await refreshLists();
    setBusy(false);
  };
  if (value.length === 0) return <EmptyState icon="shield" title="No sessions">{`${name} is signed in nowhere.`}</EmptyState>;
  const columns: AdminColumn<Session>[] = [
    {
      key: "device",
      title: "Device",
      lead: true,
      cell: ({ userAgent }) => <Two first={<span className="font-medium">{deviceText(userAgent)}</span>} second={userAgent} />,
    },
    { key: "ip", title: "IP", cell: ({ ip }) => ip || "–" },
    { key: "begun", title: "Signed in (UTC)", cell: ({ createdAt }) => <time dateTime={createdAt}>{instantText(createdAt).slice(0, 16)}</time> },
    { key: "seen", title: "Last used (UTC)", cell: ({ seenAt }) => <time dateTime={seenAt}>{instantText(seenAt).slice(0, 16)}</time> },
    ...(may("people.secure")
      ? [
          {
            key: "actions",
            title: "Actions",
            numeric: true,
            cell: ({ id, userAgent }: Session) =>
              own ? (
                <a href="/profile#sessions" className="text-accent">
                  In your profile
                </a>
              ) : (
                <BusyButton
                  size="small"
                  variant="danger"
                  className="js-only"
                  busy={busy}
                  aria-label={`End session on ${deviceText(userAgent)}`}
                  onClick={() => void end(id)}
                >
                  End session
                </BusyButton>
              ),
          },
        ]
      : []),
  ];
  return <AdminTable caption="Sessions, the last used first" columns={columns} rows={value} rowKey={({ id }) => id} />;
}

export default island("AdminSessions", AdminSessions);
