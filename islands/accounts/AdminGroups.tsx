import { type GroupVersion, listGroups, previewGroupSheet, takeGroupSheet } from "../../src/accounts/schema_groups";
import type { NoticeHours } from "../../src/admin/schema";
import { may } from "../../src/lib/may";
import { displayMoney, grouped } from "../../src/lib/money";
import { type Group, groupsOf, groupText, termSaid } from "../../src/accounts/rules_group_words";
import { Button } from "../../views/ui/Button";
import { instantText } from "../../views/ui/instant";
import { type Column, Table } from "../../views/ui/Table";
import { PartHead } from "../../views/ui/staff/PartHead";
import { island } from "../runtime/island";
import { later } from "../runtime/later";
import { useAsked, useLive } from "../runtime/live_list";
import { SheetDeeds } from "../ui/SheetDeeds";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";
import { NoticeButton } from "./NoticeButton";

const SheetDialog = later(() => import("../ui/SheetDialog"));
const GroupDialog = later(() => import("./GroupDialog"));

type Asked = { deed: "open" | "sheet" } | { deed: "change" | "versions"; group: Group };
/** A term as the table shows it. */
const term = (key: "spreadPips" | "commission" | "leverage", title: string): Column<Group> => ({
  key,
  title,
  numeric: true,
  cell: ({ now }) => termSaid(now, key),
});

/** What the accounts of each group cost and give, and the ways to change it. */
export function AdminGroups({ versions, notice }: { versions: GroupVersion[]; notice: NoticeHours }) {
  const { value } = useLive(versions, () => call(listGroups), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const mayChange = may("groups.change");
  const columns: Column<Group>[] = [
    {
      key: "name",
      title: "Group",
      lead: true,
      cell: ({ id, now: terms, coming }) => (
        <span className="flex flex-col">
          <span>
            {terms.name} <span className="font-normal text-soft">{id}</span>
          </span>
          {coming?.effectiveAt ? (
            <span className="text-note font-normal text-soft">{`From ${instantText(coming.effectiveAt)} UTC: ${groupText(coming)}`}</span>
          ) : null}
          {terms.appliesAt !== null && Date.parse(terms.appliesAt) > Date.now() ? (
            <span className="text-note font-normal text-soft">{`What was open before follows from ${instantText(terms.appliesAt)} UTC on.`}</span>
          ) : null}
        </span>
      ),
    },
    { key: "minimum", title: "Minimum deposit", numeric: true, cell: ({ now: terms }) => displayMoney(terms.minimumDeposit) },
    {
      ...term("spreadPips", "Spread from"),
      cell: ({ now: terms }) => (
        <span className="flex flex-col items-end">
          {termSaid(terms, "spreadPips")}
          {terms.spreads.length > 0 ? <span className="text-note text-soft">{termSaid(terms, "spreads")}</span> : null}
        </span>
      ),
    },
    term("commission", "Commission"),
    term("leverage", "Leverage"),
    {
      key: "swap",
      title: "Swap",
      cell: ({ now: terms }) => (terms.swapFreeFee === null ? termSaid(terms, "swaps") : `Swap-free: ${termSaid(terms, "swapFreeFee")}`),
    },
    {
      key: "join",
      title: "Who may join",
      cell: ({ now: terms }) => `${termSaid(terms, "isOpen")}${terms.countries ? ` from ${termSaid(terms, "countries")}` : ""}`,
    },
    { key: "members", title: "Accounts", numeric: true, cell: ({ now: { members } }) => grouped(String(members)) },
    {
      key: "deed",
      title: "Actions",
      numeric: true,
      cell: (group) => (
        <VersionedDeeds
          of={group.now.name}
          onChange={mayChange ? () => ask({ deed: "change", group }) : null}
          onVersions={() => ask({ deed: "versions", group })}
        />
      ),
    },
  ];
  return (
    <section aria-labelledby="groups">
      <PartHead
        id="groups"
        title="Groups"
        lead="What an account costs and gives follows its group. Orders are filled by the version in force at that moment, and receipts keep it. Terms that are worse hold for what opens at once, and for what is open after the notice, which its holders are told."
      >
        <span className="flex flex-wrap items-center gap-2">
          <NoticeButton notice={notice} />
          <SheetDeeds href="/api/admin/groups?format=csv" onTake={mayChange ? () => ask({ deed: "sheet" }) : null} />
          {mayChange ? (
            <Button variant="secondary" size="small" className="js-only" onClick={() => ask({ deed: "open" })}>
              New group
            </Button>
          ) : null}
        </span>
      </PartHead>
      <div className="md:overflow-x-auto">
        <Table caption="Groups" columns={columns} rows={groupsOf(value)} rowKey={({ id }) => id} />
      </div>
      {asked?.deed === "sheet" ? (
        <SheetDialog one="group" many="groups" preview={(body) => call(previewGroupSheet, body)} take={(body) => call(takeGroupSheet, body)} onClose={close} />
      ) : null}
      {asked?.deed === "open" ? <GroupDialog group={null} onClose={close} /> : null}
      {asked?.deed === "change" ? <GroupDialog group={asked.group} onClose={close} /> : null}
      {asked?.deed === "versions" ? <GroupVersions group={asked.group} onClose={close} /> : null}
    </section>
  );
}

/** When a version holds, or that it never did: a later one may have come before its time. */
function since({ effectiveAt, appliesAt, isInForce, version }: GroupVersion, { now }: Group): string {
  if (effectiveAt === null) return "From the beginning";
  const from = `From ${instantText(effectiveAt)} UTC${appliesAt === null ? "" : `, for what is open from ${instantText(appliesAt)} UTC`}`;
  return isInForce ? `${from}, in force` : version > now.version ? `${from}, to come` : from;
}

const GroupVersions = ({ group, onClose }: { group: Group; onClose: () => void }) => (
  <VersionsDialog
    id="group-versions"
    of={group.now.name}
    ask={async () => (await call(listGroups)).filter(({ id }) => id === group.id)}
    said={groupText}
    made={(version) => `${since(version, group)}${version.administrator ? `, by ${version.administrator}: ${version.reason}` : ""}`}
    onClose={onClose}
  />
);

export default island("AdminGroups", AdminGroups);
