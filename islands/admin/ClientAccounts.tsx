import { may } from "../../src/lib/may";
import { type HeldAccount, type HeldAccounts, listHeldAccounts, moveAccount } from "../../src/trading/schema_moves";
import { GROUP_TERMS, groupChanges, writtenTerm } from "../../src/accounts/rules_group_words";
import { ACCOUNTS } from "../../views/admin/ClientTables";
import { Button } from "../../views/ui/Button";
import { SelectField, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { EmptyState } from "../../views/ui/States";
import { AdminTable } from "../../views/ui/staff/AdminTable";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { ChangedFields } from "../ui/ChangedFields";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

/** However often prices and money move, the figures are read no more often than this, in ms. */
const REST_MS = 2000;
const waitText = ({ waiting }: HeldAccount) => (waiting ? `${waiting.name} from ${instantText(waiting.effectiveAt).slice(0, 16)}` : "");

/** A client's trading accounts, and the way to move one to another group. */
export function ClientAccounts({ userId, first }: { userId: string; first: HeldAccounts }) {
  const { value } = useLive(first, () => call(listHeldAccounts, undefined, { params: { id: userId } }), ["account", "person", "setting"], { rest: REST_MS });
  const [asked, ask, close] = useAsked<HeldAccount>();
  if (value.accounts.length === 0) return <EmptyState title="No trading accounts" />;
  const move = {
    key: "move",
    title: "Group",
    width: "lg:w-60",
    cell: (account: HeldAccount) => (
      <span className="flex items-center gap-2">
        {may("groups.move") && account.status === "active" ? (
          <Button variant="quiet" size="small" className="js-only" aria-label={`Move ${account.accountNumber}`} onClick={() => ask(account)}>
            Move
          </Button>
        ) : null}
        <span className="text-note text-soft">{waitText(account)}</span>
      </span>
    ),
  };
  return (
    <>
      <AdminTable caption="Trading accounts" columns={[...ACCOUNTS, move]} rows={value.accounts} rowKey={({ id }) => id} />
      {asked ? <MoveDialog account={asked} groups={value.groups} onClose={close} /> : null}
    </>
  );
}

/** Moves an account; what its terms become is told before it is sent. */
function MoveDialog({ account, groups, onClose }: { account: HeldAccount; groups: HeldAccounts["groups"]; onClose: () => void }) {
  const { accountNumber, accountType, accountTypeId, waiting } = account;
  const now = groups.find(({ id }) => id === accountTypeId);
  const choices = groups.filter(({ id }) => id !== accountTypeId || waiting);
  const changesTo = (id: string | undefined) => {
    const to = groups.find((group) => group.id === id);
    return now && to ? groupChanges(now, Object.fromEntries(GROUP_TERMS.map(({ name }) => [name, writtenTerm(to, name)]))) : [];
  };
  return (
    <ActionDialog
      id="move"
      title={`Move ${accountNumber}`}
      consequence={`It is in ${accountType}${waiting ? `, and goes to ${waitText(account)} UTC` : ""}. The client is told. Terms that are worse wait for the notice where a position is open or an order waits.`}
      schema={moveAccount.body}
      names={["group", "version", "reason"]}
      mends
      fields={(messages) => (
        <ChangedFields changesOf={({ group }) => changesTo(group)}>
          <input type="hidden" name="version" value={account.moves} />
          <SelectField id="move-group" name="group" label="Group" defaultValue="" error={messages.group}>
            <option value="">Choose</option>
            {choices.map(({ id, name }) => (
              <option key={id} value={id}>
                {id === accountTypeId ? `${name}, where it stays` : name}
              </option>
            ))}
          </SelectField>
          <TextField id="move-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </ChangedFields>
      )}
      submit="Move"
      busy="Moving..."
      send={async (body) => {
        const { effectiveAt } = await call(moveAccount, body, { params: { id: account.id } });
        const waits = Date.parse(effectiveAt) > Date.now();
        toast({ title: `${accountNumber} ${waits ? "will move" : "was moved"}`, ...(waits ? { description: `From ${instantText(effectiveAt)} UTC.` } : {}) });
      }}
      onClose={onClose}
    />
  );
}

export default island("ClientAccounts", ClientAccounts);
