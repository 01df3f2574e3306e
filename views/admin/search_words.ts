import { DEED_NEEDS, personDeeds } from "../../src/admin/rules_search";
import { type Found, type FoundKind, foundKinds } from "../../src/admin/schema_search";
import { may } from "../../src/lib/may";
import { adminTabKeys } from "./tabs";

/** One line of what the search shows. */
export type Hit = { id: string; title: string; detail: string; href: string };
export type HitGroup = { name: string; hits: Hit[] };

const NAMES: Record<FoundKind, string> = {
  person: "People",
  account: "Trading accounts",
  deposit: "Deposits",
  withdrawal: "Withdrawals",
  registration: "Registrations",
  ticket: "Tickets",
  chat: "Chats",
  position: "Positions",
  wallet: "Deposit addresses",
};

const commands = (): Hit[] => [
  ...adminTabKeys().map(({ key, label, href }) => ({ id: href, title: `Go to ${label}`, detail: `g ${key}`, href })),
  ...(may("days.close") ? [{ id: "close-day", title: "Close the day", detail: "asks first", href: "/admin?tab=today&close=next" }] : []),
  { id: "app", title: "Go to the Admin App", detail: "", href: "/admin-app" },
];

/** Commands of the page's reader that hold every word; all of them where nothing was asked for. */
function commandsFor(q: string): Hit[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const named = commands().filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  const deeds = personDeeds.filter((deed) => may(DEED_NEEDS[deed]) && q.length > 1 && deed.startsWith(q.toLowerCase()));
  return [...named, ...deeds.map((deed) => ({ id: deed, title: `${deed} …`, detail: "write whom, by name or address", href: `/admin/search?q=${deed}+` }))];
}

/** What was found by kind, and the commands that these words name: they come first where they are asked for by name. */
export function groupsOf(q: string, found: readonly Found[]): HitGroup[] {
  const kinds = foundKinds.map((kind) => ({ name: NAMES[kind], hits: found.filter((each) => each.kind === kind) as Hit[] }));
  const own = { name: "Commands", hits: commandsFor(q) };
  const isCommand = /^(go|close)\b/i.test(q);
  return (isCommand ? [own, ...kinds] : [...kinds, own]).filter(({ hits }) => hits.length > 0);
}
