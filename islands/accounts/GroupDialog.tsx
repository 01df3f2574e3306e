import { changeGroup, groupBody, type GroupTerms, newGroupBody, openGroup } from "../../src/accounts/schema_groups";
import { grouped } from "../../src/lib/money";
import { type Group, GROUP_TERMS, groupChanges, writtenTerm } from "../../src/accounts/rules_group_words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { ActionDialog } from "../ui/ActionDialog";
import { ChangedFields } from "../ui/ChangedFields";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

type Words = Record<string, string>;
type Figure = "minimumDeposit" | "spreadPips" | "commission" | "leverage" | "swapFreeFee";
const NAMES = ["id", ...GROUP_TERMS.map(({ name }) => name), "effectiveAt", "reason"] as const;

/** Says from when on the terms hold: for what is open not before the notice is over where they are worse. */
function tell({ name, effectiveAt, appliesAt }: GroupTerms, deed: string) {
  const waits = effectiveAt !== null && Date.parse(effectiveAt) > Date.now();
  const description = [
    ...(waits ? [`It holds from ${instantText(effectiveAt)} UTC.`] : []),
    ...(appliesAt === null ? [] : [`For what is open now it holds from ${instantText(appliesAt)} UTC.`]),
  ].join(" ");
  toast({ title: `${name} was ${deed}`, ...(description ? { description } : {}) });
}

/** What is wrong with a field of lines, which line first. */
function firstOf(messages: Words, of: "swaps" | "spreads"): string | undefined {
  if (messages[of]) return messages[of];
  const [name, message] = Object.entries(messages).find(([field]) => field.startsWith(`${of}.`)) ?? [];
  return name && message ? `Line ${Number(name.split(".")[1]) + 1}: ${message}` : undefined;
}

function fieldsOf(group: Group | null, messages: Words) {
  const written = (name: (typeof GROUP_TERMS)[number]["name"], otherwise: string) => (group ? writtenTerm(group.newest, name) : otherwise);
  const figure = (name: Figure, label: string, hint: string, otherwise: string) => (
    <Field
      id={`group-${name}`}
      name={name}
      label={label}
      hint={hint}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={written(name, otherwise)}
      error={messages[name]}
    />
  );
  return (
    <>
      {group ? (
        <>
          <input type="hidden" name="id" value={group.id} />
          <input type="hidden" name="version" value={group.newest.version} />
        </>
      ) : (
        <Field id="group-id" name="id" label="Id" hint="1 to 20 small letters; it stays." autoComplete="off" maxLength={20} error={messages.id} />
      )}
      <Field id="group-name" name="name" label="Name" autoComplete="off" maxLength={60} defaultValue={written("name", "")} error={messages.name} />
      <div className="grid gap-4 sm:grid-cols-2">
        {figure("minimumDeposit", "Minimum deposit, USD", "Before a live account deals.", "0.00")}
        {figure("spreadPips", "Spread from, pips", "Where a pair's own is narrower.", "0.0")}
        {figure("commission", "Commission, USD", "A side, for each $100,000.", "0.00")}
        {figure("leverage", "Leverage, 1 to", "The most; countries may allow less.", "100")}
      </div>
      <TextField
        id="group-spreads"
        name="spreads"
        label="Spread by instrument"
        hint="A line for each class of pairs or pair, at least so many pips or exactly: forex-minor 2.0, or EUR/USD 0.8 fixed."
        rows={3}
        defaultValue={written("spreads", "")}
        error={firstOf(messages, "spreads")}
      />
      <TextField
        id="group-swaps"
        name="swaps"
        label="Swap over 17:00 New York"
        hint="A line for each class or instrument, what comes in for long and for short, and the triple day: forex-major points -0.85 0.2 Wed. Or percent, a year."
        rows={3}
        defaultValue={written("swaps", "")}
        error={firstOf(messages, "swaps")}
      />
      {figure("swapFreeFee", "Swap-free, fee in USD", "A night for each $100,000 instead of swap. Empty: not swap-free.", "")}
      <SelectField id="group-isOpen" name="isOpen" label="Who may join" defaultValue={written("isOpen", "no")} error={messages.isOpen}>
        <option value="yes">Anybody</option>
        <option value="no">Whom staff put there</option>
      </SelectField>
      <Field
        id="group-countries"
        name="countries"
        label="Only for people who live in"
        hint="Codes such as DE, FR. Empty: everywhere."
        autoComplete="off"
        defaultValue={written("countries", "")}
        error={messages.countries}
      />
      <Field
        id="group-effectiveAt"
        name="effectiveAt"
        type="datetime-local"
        label="From (UTC)"
        hint={group?.coming ? "Empty: at once. This takes the place of the change that waits." : "Empty: at once."}
        error={messages.effectiveAt}
      />
      <TextField id="group-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
    </>
  );
}

/** Opens a group, or changes its terms; what is written is told as a difference before it is sent. */
export default function GroupDialog({ group, onClose }: { group: Group | null; onClose: () => void }) {
  if (group === null)
    return (
      <ActionDialog
        id="group"
        title="New group"
        consequence="Accounts are opened in it, or put there by staff, from the moment it holds."
        schema={newGroupBody}
        names={NAMES}
        mends
        fields={(messages) => fieldsOf(null, messages)}
        submit="Open group"
        busy="Opening..."
        send={async (body) => {
          const done = await call(openGroup, body);
          if (!tellWaiting(done)) tell(done, "opened");
        }}
        onClose={onClose}
      />
    );
  return (
    <ActionDialog
      id="group"
      title={`Change ${group.now.name}`}
      consequence={`Accounts in it: ${grouped(String(group.now.members))}. What opens is dealt by the new terms at once; what is open by worse ones only after the notice, and it keeps its margin.`}
      schema={groupBody}
      names={[...NAMES, "version"]}
      mends
      fields={(messages) => <ChangedFields changesOf={(written) => groupChanges(group.newest, written)}>{fieldsOf(group, messages)}</ChangedFields>}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        const done = await call(changeGroup, body);
        if (!tellWaiting(done)) tell(done, "changed");
      }}
      onClose={onClose}
    />
  );
}
