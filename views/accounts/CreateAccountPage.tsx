import CreateAccount from "../../islands/accounts/CreateAccount";
import type { AccountType } from "../../src/accounts/schema";
import { Card } from "../ui/Card";
import { Icon } from "../ui/Icon";

/** Where a trading account is opened. */
export const CreateAccountPage = ({ types, chosen }: { types: AccountType[]; chosen: string }) => (
  <div className="mx-auto flex w-full max-w-[56rem] flex-col gap-6 px-4 py-6 md:px-6">
    <div>
      <a href="/dashboard" className="inline-flex min-h-11 items-center gap-1.5 text-accent no-underline hover:underline">
        <Icon name="arrowLeft" className="size-4" />
        Back to Dashboard
      </a>
      <h1 className="text-title font-semibold">Create New Trading Account</h1>
    </div>
    <Card label="New account" className="p-4 md:p-6">
      <CreateAccount types={types} chosen={types.some(({ id }) => id === chosen) ? chosen : ""} />
    </Card>
  </div>
);
