import { changeClaim, claimBody, claimKinds, type HouseClaim, listClaims, listClaimVersions, makeClaim, newClaimBody } from "../../src/texts/schema_claims";
import { CLAIM_KINDS, claimState } from "../../views/texts/words";
import { Button } from "../../views/ui/Button";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { PartHead } from "../../views/ui/staff/PartHead";
import { EmptyState } from "../../views/ui/States";
import { instantText, momentField } from "../../views/ui/instant";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

type Asked = { deed: "make" } | { deed: "change" | "versions"; row: HouseClaim };

const Evidence = ({ evidence, link }: Pick<HouseClaim, "evidence" | "link">) =>
  link ? (
    <a href={link} rel="noopener noreferrer" className="text-accent underline underline-offset-2">
      {evidence || "Its address alone"}
    </a>
  ) : (
    <>{evidence}</>
  );

/** What the operator claims of the house, and the ways to change it. */
export function AdminClaims({ claims, mayChange }: { claims: HouseClaim[]; mayChange: boolean }) {
  const { value } = useLive(claims, () => call(listClaims), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const columns: Column<HouseClaim>[] = [
    { key: "text", title: "Claim", lead: true, cell: ({ text }) => text },
    { key: "kind", title: "Kind", cell: ({ kind }) => CLAIM_KINDS[kind] },
    { key: "evidence", title: "Evidence", cell: (row) => (row.evidence || row.link ? <Evidence {...row} /> : null) },
    { key: "state", title: "On the pages", cell: (row) => claimState(row, Date.now()) },
    {
      key: "deed",
      title: "Actions",
      numeric: true,
      cell: (row) => (
        <VersionedDeeds of={row.text} onChange={mayChange ? () => ask({ deed: "change", row }) : null} onVersions={() => ask({ deed: "versions", row })} />
      ),
    },
  ];
  return (
    <section aria-labelledby="claims">
      <PartHead
        id="claims"
        title="Claims"
        lead="Awards, licences and numbers on the landing page and on About. Without evidence a claim stands here alone, and on no page."
      >
        {mayChange ? (
          <Button variant="secondary" size="small" className="js-only" onClick={() => ask({ deed: "make" })}>
            New claim
          </Button>
        ) : null}
      </PartHead>
      {value.length === 0 ? <EmptyState title="Nothing is claimed" /> : <Table caption="Claims" columns={columns} rows={value} rowKey={({ id }) => id} />}
      {asked?.deed === "make" ? <ClaimDialog row={null} onClose={close} /> : null}
      {asked?.deed === "change" ? <ClaimDialog row={asked.row} onClose={close} /> : null}
      {asked?.deed === "versions" ? <ClaimVersions row={asked.row} onClose={close} /> : null}
    </section>
  );
}

type Words = Record<string, string>;
function fieldsOf(row: HouseClaim | null, messages: Words) {
  const field = (name: "text" | "evidence" | "link" | "startsAt" | "endsAt", label: string, hint: string, more: object = {}) => (
    <Field id={`claim-${name}`} name={name} label={label} hint={hint} defaultValue={row?.[name] ?? ""} error={messages[name]} {...more} />
  );
  return (
    <>
      {row ? <input type="hidden" name="version" value={row.version} /> : null}
      <SelectField id="claim-kind" name="kind" label="Kind" defaultValue={row?.kind ?? "award"} error={messages.kind}>
        {claimKinds.map((kind) => (
          <option key={kind} value={kind}>
            {CLAIM_KINDS[kind]}
          </option>
        ))}
      </SelectField>
      {field("text", "Claim", "As the pages say it.", { maxLength: 120 })}
      {field("evidence", "Evidence", "What proves it, and since when. Empty: no page shows the claim.", { maxLength: 300 })}
      {field("link", "Where it can be read", "An address with https://, or nothing.", { inputMode: "url", maxLength: 500 })}
      <div className="grid grid-cols-1 gap-4">
        {field("startsAt", "From (UTC)", "Empty: at once.", momentField(row?.startsAt))}
        {field("endsAt", "Until (UTC)", "Empty: until it is taken back.", momentField(row?.endsAt))}
      </div>
      <TextField id="claim-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
    </>
  );
}

const NAMES = ["kind", "text", "evidence", "link", "startsAt", "endsAt", "reason"] as const;
function ClaimDialog({ row, onClose }: { row: HouseClaim | null; onClose: () => void }) {
  const shared = {
    id: "claim",
    consequence: "Pages say it, with its evidence, within seconds.",
    mends: true,
    fields: (messages: Words) => fieldsOf(row, messages),
    onClose,
  } as const;
  if (row === null)
    return (
      <ActionDialog
        {...shared}
        title="New claim"
        schema={newClaimBody}
        names={NAMES}
        submit="Make claim"
        busy="Making..."
        send={async (body) => {
          await call(makeClaim, body);
          toast({ title: "The claim was made" });
        }}
      />
    );
  return (
    <ActionDialog
      {...shared}
      title="Change a claim"
      schema={claimBody}
      names={[...NAMES, "version"]}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        await call(changeClaim, body, { params: { id: row.id } });
        toast({ title: "The claim was changed" });
      }}
    />
  );
}

const ClaimVersions = ({ row: { id, text }, onClose }: { row: HouseClaim; onClose: () => void }) => (
  <VersionsDialog
    id="claim-versions"
    of={text}
    ask={() => call(listClaimVersions, undefined, { params: { id } })}
    said={(version) => (
      <>
        {version.text}
        <span className="block text-table font-normal">{version.evidence || "No evidence"}</span>
      </>
    )}
    made={({ createdAt, administrator, reason }) => `${instantText(createdAt)} UTC, by ${administrator ?? "somebody"}: ${reason}`}
    onClose={onClose}
  />
);

export default island("AdminClaims", AdminClaims);
