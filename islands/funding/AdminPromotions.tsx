import { type FormEvent, useState } from "react";
import { offersMore, promotionAs } from "../../src/funding/rules_promotions";
import { changePromotion, listPromotionVersions, listStaffPromotions, promotionBody, type StaffPromotion } from "../../src/funding/schema_promotions";
import { fit } from "../../src/lib/fit";
import { displayMoney } from "../../src/lib/money";
import { promotionKind, promotionTerms, promotionWhen } from "../../views/funding/promotion_words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { instantText, momentField } from "../../views/ui/instant";
import { PartHead } from "../../views/ui/staff/PartHead";
import { Notice } from "../../views/ui/States";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

type Asked = { deed: "change" | "versions"; row: StaffPromotion };

/** `waits`: what offers more than what stands waits for another administrator's signature. */
type Props = { promotions: StaffPromotion[]; mayChange: boolean; waits: boolean };

/** What is offered for deposits, and the ways to change it. */
export function AdminPromotions({ promotions, mayChange, waits }: Props) {
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
      numeric: true,
      cell: (row) => (
        <VersionedDeeds
          of={promotionKind(row.id)}
          onChange={mayChange ? () => ask({ deed: "change", row }) : null}
          onVersions={() => ask({ deed: "versions", row })}
        />
      ),
    },
  ];
  return (
    <section aria-labelledby="promotions">
      <PartHead
        id="promotions"
        title="Promotions"
        lead="Pages and payments read these rows. A deposit earns what was offered when it was made. Countries without promotions are set under KYC."
      />
      <Table caption="Promotions" columns={columns} rows={value} rowKey={({ id }) => id} />
      {asked?.deed === "change" ? <ChangeDialog row={asked.row} waits={waits} onClose={close} /> : null}
      {asked?.deed === "versions" ? <PromotionVersions row={asked.row} onClose={close} /> : null}
    </section>
  );
}

/** Whether what stands in the fields offers more than the row; what is no term yet offers nothing. */
function isMoreIn(fields: HTMLElement, row: StaffPromotion): boolean {
  const form = fields.closest("form");
  const read = fit(promotionBody, { ...Object.fromEntries(form ? new FormData(form) : []), reason: "-" });
  return read.ok && offersMore(row, promotionAs(row, read.value), Date.now());
}

function ChangeDialog({ row, waits, onClose }: { row: StaffPromotion; waits: boolean; onClose: () => void }) {
  const [isMore, setMore] = useState(false);
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
        <div className="contents" onInput={({ currentTarget }: FormEvent<HTMLDivElement>) => setMore(isMoreIn(currentTarget, row))}>
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
          <div className="grid grid-cols-1 gap-4">
            {field("startsAt", "From (UTC)", "Empty: at once.", messages, { ...momentField(row.startsAt) })}
            {field("endsAt", "Until (UTC)", "Empty: until it is taken back.", messages, { ...momentField(row.endsAt) })}
          </div>
          {field("countries", "Only for people who live in", "Codes such as DE, FR. Empty: everywhere.", messages, {
            defaultValue: row.countries?.join(", ") ?? "",
          })}
          <TextField id="promotion-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
          {/* Always there, so that no button moves away under a finger. */}
          {waits ? (
            <Notice kind={isMore ? "warning" : "info"}>
              {isMore
                ? "This offers more than what stands, so it waits until another administrator signs it."
                : "What offers more than what stands waits until another administrator signs it."}
            </Notice>
          ) : null}
        </div>
      )}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        const done = await call(changePromotion, body, { params: { id: row.id } });
        if (!tellWaiting(done)) toast({ title: `${kind} was changed` });
      }}
      onClose={onClose}
    />
  );
}

const PromotionVersions = ({ row: { id }, onClose }: { row: StaffPromotion; onClose: () => void }) => (
  <VersionsDialog
    id="promotion-versions"
    of={promotionKind(id)}
    ask={() => call(listPromotionVersions, undefined, { params: { id } })}
    said={promotionTerms}
    made={({ since, administrator, reason }) =>
      `${since === null ? "From the beginning" : `Since ${instantText(since)} UTC`}${administrator ? `, by ${administrator}: ${reason}` : ""}`
    }
    onClose={onClose}
  />
);

export default island("AdminPromotions", AdminPromotions);
