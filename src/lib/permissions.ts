/**
 * What staff may do. Each door of the staff names one of these; a role is a set of them. `words` go on after 'You may' and 'You may not'. What
 * ends in `.read` changes nothing. An owner has all, an auditor those that read; `roles` names who else has it.
 */
const ALL = ["support", "finance", "dealing", "compliance"] as const;

const permissions = {
  "panel.read": { group: "The panel", words: "use the control panel", roles: ALL },
  "panel.own": { group: "The panel", words: "keep marks, filters and devices of your own here", roles: ALL },
  "queues.work": { group: "The panel", words: "claim requests or put them away", roles: ALL },
  "overview.read": { group: "The panel", words: "see the figures of the house", roles: ["finance", "dealing"] },
  "days.close": { group: "The panel", words: "close a day", roles: ["finance"] },
  "visitors.read": { group: "The panel", words: "see visitors", roles: ["support"] },
  "people.read": { group: "People", words: "see people", roles: ALL },
  "people.note": { group: "People", words: "write notes about people", roles: ALL },
  "people.standing": { group: "People", words: "suspend, ban or activate people", roles: ["compliance"] },
  "people.secure": { group: "People", words: "end sessions, reset second factors or release frozen accounts", roles: ["compliance"] },
  "people.erase": { group: "People", words: "close accounts of clients and erase what says who they were", roles: ["compliance"] },
  "registrations.decide": { group: "People", words: "decide registrations", roles: ["compliance"] },
  "kyc.read": { group: "Compliance", words: "see documents and the rules of countries", roles: ["compliance"] },
  "kyc.decide": { group: "Compliance", words: "decide identity checks", roles: ["compliance"] },
  "compliance.change": { group: "Compliance", words: "change what levels open and what countries ask for", roles: ["compliance"] },
  "deposits.read": { group: "Money", words: "see deposits", roles: ["finance", "compliance"] },
  "deposits.decide": { group: "Money", words: "decide deposits", roles: ["finance"] },
  "withdrawals.read": { group: "Money", words: "see withdrawals", roles: ["finance", "compliance"] },
  "withdrawals.decide": { group: "Money", words: "decide withdrawals", roles: ["finance"] },
  "wallets.read": { group: "Money", words: "see where depositors pay to", roles: ["finance"] },
  "wallets.change": { group: "Money", words: "change where depositors pay to", roles: ["finance"] },
  "holdings.change": { group: "Money", words: "declare what is held for clients", roles: ["finance"] },
  "promotions.read": { group: "Money", words: "see what is offered for deposits", roles: ["finance"] },
  "promotions.change": { group: "Money", words: "change what is offered for deposits", roles: ["finance"] },
  "groups.read": { group: "Trading", words: "see what groups cost", roles: [] },
  "groups.change": { group: "Trading", words: "change what groups cost", roles: [] },
  "groups.move": { group: "Trading", words: "move clients between groups", roles: [] },
  "trades.read": { group: "Trading", words: "see positions of clients", roles: ["dealing"] },
  "trades.correct": { group: "Trading", words: "settle positions of clients", roles: ["dealing"] },
  "trades.review": { group: "Trading", words: "review exceptions", roles: ["dealing"] },
  "instruments.read": { group: "Trading", words: "see how instruments are dealt", roles: ["dealing"] },
  "instruments.change": { group: "Trading", words: "change how instruments are dealt", roles: ["dealing"] },
  "limits.change": { group: "Trading", words: "change exposure limits", roles: ["dealing"] },
  "support.read": { group: "Support", words: "see tickets, chats and contact messages", roles: ["support"] },
  "support.answer": { group: "Support", words: "answer clients", roles: ["support"] },
  "answers.change": { group: "Support", words: "change ready answers", roles: ["support"] },
  "letters.read": { group: "Records", words: "see letters", roles: ["support", "compliance"] },
  "letters.send": { group: "Records", words: "send test letters", roles: [] },
  "audit.read": { group: "Records", words: "see the audit trail", roles: ["compliance"] },
  "system.read": { group: "Records", words: "see how the system runs", roles: [] },
  "signatures.read": { group: "Staff", words: "see what waits for a second signature", roles: ["finance", "dealing", "compliance"] },
  "signatures.sign": { group: "Staff", words: "sign as the second person", roles: ["finance", "dealing", "compliance"] },
  "signatures.rules": { group: "Staff", words: "change what takes a second signature", roles: [] },
  "roles.read": { group: "Staff", words: "see who has which role", roles: [] },
  "roles.give": { group: "Staff", words: "give or take roles", roles: [] },
  "roles.change": { group: "Staff", words: "change roles", roles: [] },
  "texts.read": { group: "The site", words: "see the texts and claims of pages", roles: ["support", "compliance"] },
  "texts.change": { group: "The site", words: "publish texts and claims of pages", roles: ["compliance"] },
  "settings.change": { group: "Staff", words: "change the settings of the panel", roles: [] },
} as const satisfies Record<string, { group: string; words: string; roles: readonly (typeof ALL)[number][] }>;

export type Permission = keyof typeof permissions;
export const allPermissions = Object.keys(permissions) as Permission[];
export const permissionWords = (permission: Permission): string => permissions[permission].words;
export const groupOfPermission = (permission: Permission): string => permissions[permission].group;
export const isPermission = (text: string): text is Permission => text in permissions;

/** Without it nobody is staff. */
export const LEAST: Permission = "panel.read";
/** The roles that each house has, and that nobody changes. */
export const builtInRoles = ["owner", ...ALL, "auditor"] as const;
export type BuiltInRole = (typeof builtInRoles)[number];

function builtIn(role: BuiltInRole): Permission[] {
  if (role === "owner") return allPermissions;
  if (role === "auditor") return allPermissions.filter((each) => each.endsWith(".read"));
  return allPermissions.filter((each) => (permissions[each].roles as readonly string[]).includes(role));
}
const BUILT_IN = new Map<string, readonly Permission[]>(builtInRoles.map((role) => [role, builtIn(role)]));

/** What a role may do: a built-in one as this program has it, one of the house's own as it was `stored`. Unknown words open nothing. */
export function permissionsOf(role: string | null, stored: readonly string[] | null): readonly Permission[] {
  if (role === null) return [];
  return BUILT_IN.get(role) ?? [...new Set([LEAST, ...(stored ?? []).filter(isPermission)])];
}

/** Somebody with a role: what it lets do. */
export type Entitled = { permissions: readonly Permission[] };
export const mayDo = (who: Entitled | null, permission: Permission): boolean => who?.permissions.includes(permission) ?? false;
/** The sentence for who lacks one. */
export const mayNot = (permission: Permission): string => `You may not ${permissionWords(permission)}. Ask an owner.`;
