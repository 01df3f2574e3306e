import { may } from "../../src/lib/may";
import { type LevelRule, listLevels, setLevel } from "../../src/compliance/schema_rules";
import { displayMoney } from "../../src/lib/money";
import { LEVELS } from "../../views/compliance/words";
import { Button } from "../../views/ui/Button";
import { Field, SelectField } from "../../views/ui/Field";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { tellWaiting } from "../wire/waits";

const METHODS = [
  ["bankDeposits", "bank"],
  ["cardDeposits", "card"],
  ["cryptoDeposits", "crypto"],
] as const;
const limitText = (limit: string | null) => (limit === null ? "No limit" : displayMoney(limit));
const depositsText = (rule: LevelRule) => {
  const open = METHODS.flatMap(([name, label]) => (rule[name] ? [label] : []));
  return open.length === METHODS.length ? "All" : open.length === 0 ? "None" : open.join(", ");
};

/** What each level opens, and the way to change it. */
export function LevelRules({ levels }: { levels: LevelRule[] }) {
  const { value } = useLive(levels, () => call(listLevels), ["setting"]);
  const [asked, ask, close] = useAsked<LevelRule>();
  const columns: Column<LevelRule>[] = [
    { key: "level", title: "Level", lead: true, cell: ({ level }) => `${level}: ${LEVELS[level]}` },
    { key: "live", title: "Live trading", cell: ({ liveTrading }) => (liveTrading ? "Yes" : "No") },
    { key: "deposits", title: "Deposits by", cell: depositsText },
    { key: "day", title: "Withdrawn in 24 hours", numeric: true, cell: ({ withdrawnDay }) => limitText(withdrawnDay) },
    { key: "month", title: "in 30 days", numeric: true, cell: ({ withdrawnMonth }) => limitText(withdrawnMonth) },
    ...(may("compliance.change")
      ? [
          {
            key: "deed",
            title: "Actions",
            cell: (rule: LevelRule) => (
              <span className="js-only flex md:justify-end">
                <Button variant="secondary" size="small" aria-label={`Change level ${rule.level}`} onClick={() => ask(rule)}>
                  Change
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
  return (
    <section aria-labelledby="levels">
      <h2 id="levels" className="text-product font-semibold">
        What levels open
      </h2>
      <p className="mb-2 text-table text-soft">At first every level opens everything. What is refused says what is missing, and where it is sent.</p>
      <Table caption="What levels open" columns={columns} rows={value} rowKey={({ level }) => String(level)} />
      {asked ? <LevelDialog rule={asked} onClose={close} /> : null}
    </section>
  );
}

function LevelDialog({ rule, onClose }: { rule: LevelRule; onClose: () => void }) {
  const choice = (name: "liveTrading" | (typeof METHODS)[number][0], label: string) => (
    <SelectField id={`level-${name}`} key={name} name={name} label={label} defaultValue={rule[name] ? "yes" : "no"}>
      <option value="yes">Yes</option>
      <option value="no">No</option>
    </SelectField>
  );
  return (
    <ActionDialog
      id="level"
      title={`Level ${rule.level}: ${LEVELS[rule.level]}`}
      consequence="Counts from now on, for everybody of this level. What is open stays open, and what was asked for stays asked for."
      schema={setLevel.body}
      names={["liveTrading", "bankDeposits", "cardDeposits", "cryptoDeposits", "withdrawnDay", "withdrawnMonth", "version"]}
      mends
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={rule.version} />
          {choice("liveTrading", "Trading with live money")}
          {METHODS.map(([name, label]) => choice(name, `Deposits by ${label}`))}
          <Field
            id="level-day"
            name="withdrawnDay"
            label="Withdrawals within 24 hours, in USD"
            hint="Empty: without a limit."
            inputMode="decimal"
            defaultValue={rule.withdrawnDay ?? ""}
            error={messages.withdrawnDay}
          />
          <Field
            id="level-month"
            name="withdrawnMonth"
            label="Withdrawals within 30 days, in USD"
            hint="Empty: without a limit."
            inputMode="decimal"
            defaultValue={rule.withdrawnMonth ?? ""}
            error={messages.withdrawnMonth}
          />
        </>
      )}
      submit="Set"
      busy="Setting..."
      send={async (body) => {
        const done = await call(setLevel, body, { params: { level: String(rule.level) as "0" } });
        if (!tellWaiting(done)) toast({ title: `Level ${rule.level} was changed` });
      }}
      onClose={onClose}
    />
  );
}

export default island("LevelRules", LevelRules);
