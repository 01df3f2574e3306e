import type { ReactNode } from "react";
import type { Signature, SignedDeed } from "../../src/identity/schema_signatures";
import { Badge, type Tone } from "../ui/Badge";
import { instantText } from "../ui/instant";

export const DEED_WORDS: Record<SignedDeed, string> = {
  deposit: "Approving a deposit",
  withdrawal: "Approving a withdrawal",
  wallet: "Changing where depositors pay to",
  compliance: "Changing what levels open or countries ask for",
  erase: "Erasing a client",
  costs: "Changing what a group or an instrument costs",
  margin: "Changing a group's leverage or an instrument's margin",
  promotion: "Offering more for deposits",
  correction: "Settling a position of a client",
  role: "Giving a role that lets do more",
  rules: "Changing what takes a second signature",
};
const STATES: Record<Signature["status"], [label: string, tone: Tone]> = {
  pending: ["waiting", "warning"],
  signed: ["signed", "gain"],
  declined: ["declined", "destructive"],
  withdrawn: ["taken back", "secondary"],
  expired: ["expired", "secondary"],
  lapsed: ["came about otherwise", "secondary"],
};

/** "walletAddress" is Wallet address. */
const nameOf = (key: string) =>
  key
    .replace(/_/g, " ")
    .replace(/([a-z])([A-Z])/g, (_all, a: string, b: string) => `${a} ${b.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());
const textOf = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((each) => typeof each === "string")) return value.join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value as string | number);
};

/** What is there now and what would be, line by line; what stays the same is left out. */
export function changesOf({ before, after }: Pick<Signature, "before" | "after">): [name: string, before: string, after: string][] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((key) => key !== "userId");
  const gone = Object.keys(after).length === 0;
  return keys
    .map((key): [string, string, string] => [nameOf(key), textOf(before[key]), textOf(key in after || gone ? after[key] : before[key])])
    .filter(([, was, is]) => was !== is);
}

/** One deed with what it changes, and how it stands. */
export const SignatureCard = ({ row, children }: { row: Signature; children?: ReactNode }) => {
  const [label, tone] = STATES[row.status];
  const changes = changesOf(row);
  return (
    <article data-row={row.id} aria-label={row.title} className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-semibold [overflow-wrap:anywhere]">{row.title}</h3>
          <p className="text-table text-soft [overflow-wrap:anywhere]">
            {DEED_WORDS[row.deed]}. Asked for by {row.administrator}, <time dateTime={row.createdAt}>{instantText(row.createdAt).slice(0, 16)} UTC</time>
            {row.status === "pending" && row.expiresAt ? `, until ${instantText(row.expiresAt).slice(0, 16)} UTC` : ""}
          </p>
          {row.userId ? (
            <p className="text-table">
              <a href={`/admin/users/${row.userId}`} className="text-accent underline underline-offset-2">
                The client's page
              </a>
            </p>
          ) : null}
          {row.reason ? <p className="mt-1 text-table [overflow-wrap:anywhere]">{row.reason}</p> : null}
        </div>
        <Badge tone={tone}>{label}</Badge>
      </div>
      {changes.length > 0 ? (
        <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-1 text-table">
          {changes.map(([name, was, is]) => (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">
                <del className="text-soft">
                  <span className="sr-only">before: </span>
                  {was}
                </del>{" "}
                <span aria-hidden="true">→</span>{" "}
                <ins className="font-medium no-underline">
                  <span className="sr-only">after: </span>
                  {is}
                </ins>
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {row.decidedBy ? (
        <p className="text-table text-soft [overflow-wrap:anywhere]">
          {row.status === "withdrawn" ? "Taken back" : row.status === "declined" ? "Declined" : "Signed"} by {row.decidedBy}
          {row.decidedAt ? `, ${instantText(row.decidedAt).slice(0, 16)} UTC` : ""}
          {row.decisionReason ? `: ${row.decisionReason}` : ""}
        </p>
      ) : null}
      {children}
    </article>
  );
};
