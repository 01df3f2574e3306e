import type { ReactNode } from "react";
import type { RefusedAttempt } from "../../src/audit/schema";
import { Badge } from "../ui/Badge";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { type AdminColumn, AdminTable } from "../ui/staff/AdminTable";

type Proof = { check: string; rows: number; first: string | null };
type Slow = { query: string; calls: number; meanMs: number; worstMs: number };
export type SystemFacts = {
  version: string;
  leads: boolean;
  upSeconds: number;
  memoryBytes: number;
  feed: {
    label: string;
    accepted: number;
    dropped: number;
    ahead: number;
    held: number;
    newestAgeMs: number | null;
    /** Symbols whose quote nobody vouches for while their market is open. */
    stale: string[];
    closed: number;
    quoted: number;
  };
  engine: { watched: number; waiting: number };
  streams: { open: number; dropped: number };
  database: {
    version: string;
    sizeBytes: number;
    startedAt: string;
    connections: number;
    mostConnections: number;
    halted: boolean;
    haltedFor: string | null;
    migration: string;
    auditEntries: number;
    auditHash: string;
    answerMs: number;
    embedded: boolean;
  } | null;
  mail: { server: string | null; waiting: number; failedToday: number };
  /** The archive that the log is brought to; instants in ms since the epoch, `now` when this was looked at. */
  archive: { place: string; safeUntil: number | null; base: number | null; fault: string | null; now: number } | null;
  backups: {
    /** Whether other instances may work on the same database, and keep backups of it. */
    shared: boolean;
    every: number | null;
    keep: number;
    kept: { name: string; at: number }[];
    last: { at: number; error: string | null; bytes: number } | null;
  };
  /** The last things that staff were refused, or others at routes of theirs. */
  refused: RefusedAttempt[];
  slow: Slow[] | null;
  /** What each check of the books returned; null where they were not asked for. */
  checks: Proof[] | null;
};

/** The System tab: what runs, on what, and whether it is well. */
export function SystemPage({ facts }: { facts: SystemFacts }) {
  return (
    <div className="flex flex-col gap-4">
      <div className="grid items-start gap-4 md:grid-cols-2 xl:grid-cols-3">
        <Program facts={facts} />
        <Prices facts={facts} />
        <Database database={facts.database} />
      </div>
      <Books facts={facts} />
      <Mail mail={facts.mail} />
      <Archive archive={facts.archive} isShared={facts.backups.shared} />
      <Backups backups={facts.backups} />
      <Refused attempts={facts.refused} />
      <SlowQueries slow={facts.slow} />
    </div>
  );
}

const Program = ({ facts: { version, leads, upSeconds, memoryBytes, engine, streams } }: { facts: SystemFacts }) => (
  <Panel
    title="Program"
    action={
      <ButtonLink href="/admin?tab=system" variant="secondary" size="small">
        Refresh
      </ButtonLink>
    }
  >
    <Facts
      facts={[
        ["Version", version],
        ["Role", leads ? "Leads: runs the feed and the engine" : "Follows: the feed and the engine run elsewhere"],
        ["Running for", spanText(upSeconds)],
        ["Memory", sizeText(memoryBytes)],
        ["Positions and orders watched", engine.watched.toLocaleString("en")],
        ["Accounts with a task in line", mark(engine.waiting.toLocaleString("en"), engine.waiting > 1000)],
        ["Live connections", `${streams.open.toLocaleString("en")} open, ${streams.dropped.toLocaleString("en")} dropped`],
      ]}
    />
  </Panel>
);

const Prices = ({ facts: { feed } }: { facts: SystemFacts }) => (
  <Panel title="Prices">
    <Facts
      facts={[
        ["Source", feed.label],
        ["Ticks taken", feed.accepted.toLocaleString("en")],
        ["Held back, dropped", `${feed.held.toLocaleString("en")}, ${feed.dropped.toLocaleString("en")}`],
        ["Ahead of the clock", mark(feed.ahead.toLocaleString("en"), feed.ahead > 0)],
        ["Newest quote", feed.newestAgeMs === null ? mark("none yet", true) : `${(feed.newestAgeMs / 1000).toFixed(1)} s ago`],
        ["Instruments", `${feed.quoted} quoted, ${feed.closed} closed now`],
        ["Stale", feed.stale.length === 0 ? "none" : mark(feed.stale.join(", "), true)],
      ]}
    />
  </Panel>
);

const Database = ({ database }: { database: SystemFacts["database"] }) => (
  <Panel title="Database">
    {database ? (
      <Facts
        facts={[
          ["PostgreSQL", `${database.version}, ${database.embedded ? "embedded" : "external"}`],
          ["Answers in", mark(`${database.answerMs.toFixed(1)} ms`, database.answerMs > 250)],
          ["Size", sizeText(database.sizeBytes)],
          ["Connections", mark(`${database.connections} of ${database.mostConnections}`, database.connections > 0.8 * database.mostConnections)],
          ["Running since", timeText(Date.parse(database.startedAt))],
          ["Schema", database.migration],
          ["Audit chain", `entry ${database.auditEntries}, ${database.auditHash.slice(0, 12)}`],
        ]}
      />
    ) : (
      <p className="text-loss">The database holds no books.</p>
    )}
  </Panel>
);

function Books({ facts: { database, checks } }: { facts: SystemFacts }) {
  const run = (
    <ButtonLink href="/admin?tab=system&checks=run" variant="secondary" size="small">
      Run the checks
    </ButtonLink>
  );
  return (
    <Panel title="Books" action={run}>
      {database?.halted ? (
        <p role="alert" className="mb-3 font-medium text-loss">
          Payments and deals are stopped: {database.haltedFor}. Once the cause is known and mended, the operator lets them go on by{" "}
          <code>halyard books release --reason "…"</code>.
        </p>
      ) : (
        <p className="text-soft">
          The books are checked every minute; payments and deals stop where they do not balance. The checks here are those of halyard verify.
        </p>
      )}
      {checks ? (
        <ul aria-label="Checks" className="mt-3 grid gap-x-6 md:grid-cols-2">
          {checks.map(({ check, rows, first }) => (
            <li key={check} className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 border-b border-line">
              <span>{check.replaceAll("_", " ")}</span>
              <Badge tone={rows === 0 ? "gain" : "destructive"}>{rows === 0 ? "Holds" : `${rows} wrong`}</Badge>
              {first ? <code className="w-full text-note text-loss [overflow-wrap:anywhere]">{first}</code> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

const Mail = ({ mail: { server, waiting, failedToday } }: { mail: SystemFacts["mail"] }) => (
  <Panel
    title="Mail"
    action={
      <ButtonLink href="/admin?tab=system&view=mail" variant="secondary" size="small">
        Letters
      </ButtonLink>
    }
  >
    <p className="text-soft">
      {server === null ? "No mail server is set: letters are kept and not sent. " : `Letters go by ${server}. `}
      {waiting.toLocaleString("en")} wait; {mark(`${failedToday.toLocaleString("en")} failed`, failedToday > 0)} within a day.
    </p>
  </Panel>
);

/** So late, in ms, the archive is behind. */
const ARCHIVE_LATE = 120_000;

function Archive({ archive, isShared }: { archive: SystemFacts["archive"]; isShared: boolean }) {
  if (!archive)
    return (
      <Panel title="Archive">
        <p className="text-soft">
          {isShared
            ? "The database is not this program's own: its archive is kept where it runs."
            : "None is kept: what was written since the last backup is lost with the disk. Set ARCHIVE_URL to a place on another one."}
        </p>
      </Panel>
    );
  const { place, safeUntil, base, fault, now } = archive;
  return (
    <Panel title="Archive">
      {fault === null ? null : (
        <p role="alert" className="mb-2 text-loss [overflow-wrap:anywhere]">
          It does not take the log: {fault}
        </p>
      )}
      <Facts
        facts={[
          ["Place", place],
          ["Holds all that was written until", safeUntil === null ? mark("nothing yet", true) : mark(timeText(safeUntil), now - safeUntil > ARCHIVE_LATE)],
          ["Newest copy", base === null ? mark("none yet: nothing can be restored", true) : timeText(base)],
        ]}
      />
    </Panel>
  );
}

function Backups({ backups: { shared, every, keep, kept, last } }: { backups: SystemFacts["backups"] }) {
  return (
    <Panel title="Backups">
      <p className="text-soft">
        {every === null
          ? shared
            ? "This instance makes none by itself, another may: set BACKUP_EVERY on one of them, or run halyard backup."
            : "None are made by themselves: set BACKUP_EVERY, or run halyard backup."
          : `One every ${spanText(every / 1000)}, the newest ${keep} are kept in the data folder.`}
      </p>
      {last?.error ? (
        <p role="alert" className="mt-2 text-loss">
          The last one failed at {timeText(last.at)}: {last.error}
        </p>
      ) : null}
      {kept.length > 0 ? (
        <ul aria-label="Kept backups" className="mt-3">
          {kept.map(({ name, at }) => (
            <li key={name} className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 border-b border-line last:border-b-0">
              <span className="[overflow-wrap:anywhere]">{name}</span>
              <span className="text-soft">{timeText(at)}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </Panel>
  );
}

const REFUSED: AdminColumn<RefusedAttempt>[] = [
  { key: "time", title: "Time (UTC)", width: "lg:w-40", cell: ({ createdAt }) => createdAt.slice(0, 19).replace("T", " ") },
  {
    key: "person",
    title: "Person",
    roomy: true,
    cell: ({ person, role }) => <div className="line [overflow-wrap:anywhere]">{`${person}${role === "admin" ? "" : ", a trader"}`}</div>,
  },
  {
    key: "wanted",
    title: "Wanted",
    roomy: true,
    cell: ({ method, path }) => <code className="line block text-note [overflow-wrap:anywhere]">{`${method} ${path}`}</code>,
  },
  { key: "reason", title: "Refused because", roomy: true, cell: ({ reason }) => <div className="line [overflow-wrap:anywhere]">{reason}</div> },
  { key: "from", title: "From", width: "lg:w-36", cell: ({ ipAddress }) => <div className="line">{ipAddress}</div> },
  { key: "request", title: "Request", width: "lg:w-40", cell: ({ requestId }) => <div className="line">{requestId}</div> },
];

const Refused = ({ attempts }: { attempts: RefusedAttempt[] }) => (
  <Panel title="Refused attempts">
    {attempts.length === 0 ? (
      <p className="text-soft">Nobody of the staff was refused anything, and nobody else at their doors.</p>
    ) : (
      <AdminTable caption="The last refused attempts" columns={REFUSED} rows={attempts} rowKey={({ id }) => id} />
    )}
  </Panel>
);

const SLOW: AdminColumn<Slow>[] = [
  { key: "query", title: "Statement", roomy: true, cell: ({ query }) => <code className="line block text-note [overflow-wrap:anywhere]">{query}</code> },
  { key: "calls", title: "Calls", numeric: true, width: "lg:w-28", cell: ({ calls }) => calls.toLocaleString("en") },
  { key: "mean", title: "Mean", numeric: true, width: "lg:w-28", cell: ({ meanMs }) => `${meanMs.toFixed(1)} ms` },
  { key: "worst", title: "Worst", numeric: true, width: "lg:w-28", cell: ({ worstMs }) => `${worstMs.toFixed(1)} ms` },
];

const SlowQueries = ({ slow }: { slow: Slow[] | null }) => (
  <Panel title="Slowest statements">
    {slow === null ? (
      <p className="text-soft">This database server does not count its statements: have its administrator create the extension pg_stat_statements.</p>
    ) : slow.length === 0 ? (
      <p className="text-soft">None was called twice yet.</p>
    ) : (
      <AdminTable caption="Slowest statements" columns={SLOW} rows={slow} rowKey={({ query }) => query} />
    )}
  </Panel>
);

const Facts = ({ facts }: { facts: [string, ReactNode][] }) => (
  <dl className="text-table">
    {facts.map(([name, value]) => (
      <div key={name} className="flex min-h-10 items-center justify-between gap-4 border-b border-line last:border-b-0">
        <dt className="text-soft">{name}</dt>
        <dd className="py-1 text-right tabular-nums [overflow-wrap:anywhere]">{value}</dd>
      </div>
    ))}
  </dl>
);

const mark = (text: string, wrong: boolean): ReactNode => (wrong ? <span className="font-medium text-warn">{text}</span> : text);

const timeText = (at: number) => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
const sizeText = (bytes: number) => (bytes < 2 ** 30 ? `${(bytes / 2 ** 20).toFixed(0)} MB` : `${(bytes / 2 ** 30).toFixed(1)} GB`);

/** The two largest units of a span: '3 d 4 h', '12 min'. */
function spanText(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3600), Math.floor((seconds % 3600) / 60)];
  const parts = [days ? `${days} d` : "", hours ? `${hours} h` : "", minutes && !days ? `${minutes} min` : ""].filter(Boolean);
  return parts.join(" ") || `${Math.floor(seconds)} s`;
}
