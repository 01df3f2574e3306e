import { useEffect, useState } from "react";
import {
  changePromotion,
  listPromotionVersions,
  listStaffPromotions,
  promotionBody,
  type PromotionVersion,
  type StaffPromotion,
} from "../../src/funding/schema_promotions";
import { displayMoney } from "../../src/lib/money";
import { promotionKind, promotionTerms, promotionWhen } from "../../views/funding/promotion_words";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { ErrorState, Skeleton } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

type Asked = { deed: "change" | "versions"; row: StaffPromotion };

/** What is offered for deposits, and the ways to change it. */
export function AdminPromotions({ promotions, mayChange }: { promotions: StaffPromotion[]; mayChange: boolean }) {
  const { value } = useLive(promotions, () => call(listStaffPromotions), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const columns: Column<StaffPromotion>[] = [
    { key: "kind", title: "Promotion", lead: true, cell: ({ id }) => promotionKind(id) },
    { key: "amount", title: "Pays", numeric: true, cell: ({ amount }) => displayMoney(amount) },
    { key: "deposit", title: "From a deposit of", numeric: true, cell: ({ minimumDeposit }) => displayMoney(minimumDeposit) },
    { key: "turnover", title: "Turnover", numeric: true, cell: ({ turnover }) => (turnover === 0 ? "None" : `${turnover} times`) },
    { key: "when", title: "Offered", cell: (row) => promotionWhen(row, Date.now()) },
    { key: "countries", title: "Countries", cell: ({ countries }) => countries?.join(", ") ?? "All" },
    {
      key: "deed",
      title: "Actions",
      cell: (row) => (
        <span className="js-only flex gap-2 md:justify-end">
          {mayChange ? (
            <Button variant="quiet" size="small" aria-label={`Change ${promotionKind(row.id)}`} onClick={() => ask({ deed: "change", row })}>
              Change
            </Button>
          ) : null}
          <Button variant="quiet" size="small" aria-label={`Versions of ${promotionKind(row.id)}`} onClick={() => ask({ deed: "versions", row })}>
            Versions
          </Button>
        </span>
      ),
    },
  ];
  return (
    <section aria-labelledby="promotions">
      <h2 id="promotions" className="mb-2 text-product font-semibold">
        Promotions
      </h2>
      <p className="mb-2 text-table text-soft">
        Pages and payments read these rows. A deposit earns what was offered when it was made. Countries without promotions are set under KYC.
      </p>
      <Table caption="Promotions" columns={columns} rows={value} rowKey={({ id }) => id} />
      {asked?.deed === "change" ? <ChangeDialog row={asked.row} onClose={close} /> : null}
      {asked?.deed === "versions" ? <VersionsDialog row={asked.row} onClose={close} /> : null}
    </section>
  );
}

/** What `datetime-local` takes. */
const localText = (iso: string | null) => iso?.slice(0, 16) ?? "";

function ChangeDialog({ row, onClose }: { row: StaffPromotion; onClose: () => void }) {
  const kind = promotionKind(row.id);
  const field = (name: keyof StaffPromotion, label: string, hint: string, messages: Record<string, string>, more: object = {}) => (
    <Field id={`promotion-${name}`} name={name} label={label} hint={hint} defaultValue={String(row[name] ?? "")} error={messages[name]} {...more} />
  );
  return (
    <ActionDialog
      id="promotion"
      title={`Change ${kind}`}
      consequence="It holds for deposits made from now on, on the pages at once. Those that wait already earn what was offered when they were made."
      schema={promotionBody}
      names={["title", "amount", "minimumDeposit", "turnover", "isActive", "startsAt", "endsAt", "countries", "version", "reason"]}
      mends
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={row.version} />
          {field("title", "Title", "Stands in the history of whoever earns it.", messages, { maxLength: 100 })}
          <div className="grid gap-4 sm:grid-cols-3">
            {field("amount", "Pays, USD", "", messages, { inputMode: "decimal" })}
            {field("minimumDeposit", "Deposit, USD", "The smallest.", messages, { inputMode: "decimal" })}
            {field("turnover", "Turnover, times", "0: free at once.", messages, { inputMode: "numeric" })}
          </div>
          <SelectField id="promotion-isActive" name="isActive" label="Offered" defaultValue={row.isActive ? "yes" : "no"} error={messages.isActive}>
            <option value="yes">Yes</option>
            <option value="no">No</option>
          </SelectField>
          <div className="grid gap-4 sm:grid-cols-2">
            {field("startsAt", "From (UTC)", "Empty: at once.", messages, { type: "datetime-local", defaultValue: localText(row.startsAt) })}
            {field("endsAt", "Until (UTC)", "Empty: until it is taken back.", messages, { type: "datetime-local", defaultValue: localText(row.endsAt) })}
          </div>
          {field("countries", "Only for people who live in", "Codes such as DE, FR. Empty: everywhere.", messages, {
            defaultValue: row.countries?.join(", ") ?? "",
          })}
          <TextField id="promotion-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        await call(changePromotion, body, { params: { id: row.id } });
        toast({ title: `${kind} was changed` });
      }}
      onClose={onClose}
    />
  );
}

function VersionsDialog({ row, onClose }: { row: StaffPromotion; onClose: () => void }) {
  const [versions, setVersions] = useState<PromotionVersion[] | "failed" | null>(null);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    call(listPromotionVersions, undefined, { params: { id: row.id } }).then(setVersions, () => setVersions("failed"));
  }, [row.id, tries]);
  const again = () => {
    setVersions(null);
    setTries(tries + 1);
  };
  return (
    <Dialog id="promotion-versions" title={`Versions of ${promotionKind(row.id)}`} open onClose={onClose} wide>
      {versions === null ? <Skeleton className="h-40" /> : null}
      {versions === "failed" ? <ErrorState title="The versions did not come" retry={<Button onClick={again}>Try again</Button>} /> : null}
      {Array.isArray(versions) ? (
        <ol className="flex flex-col">
          {versions.map((version) => (
            <li key={version.version} className="border-b border-line py-2 last:border-b-0">
              <p className="font-medium">{`${version.version}. ${promotionTerms(version)}`}</p>
              <p className="text-table text-soft [overflow-wrap:anywhere]">
                {version.since === null ? "From the beginning" : `Since ${version.since.slice(0, 16).replace("T", " ")} UTC`}
                {version.administrator ? `, by ${version.administrator}: ${version.reason}` : ""}
              </p>
            </li>
          ))}
        </ol>
      ) : null}
    </Dialog>
  );
}

export default island("AdminPromotions", AdminPromotions);
