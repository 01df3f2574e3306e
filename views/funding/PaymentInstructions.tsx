import { Copyable } from "../../islands/ui/Copyable";
import type { Deposit, PaymentDetails } from "../../src/funding/schema";
import { referenceOf } from "../../src/funding/rules";
import { Card } from "../ui/Card";
import { METHOD_WORDS } from "./words";

type Instructions = { details: PaymentDetails; /** The request that is paid for; null before there is one. */ deposit: Pick<Deposit, "id"> | null };

/** Where to pay by bank or card, and what to write beside the payment. */
export function PaymentInstructions({ details, deposit }: Instructions) {
  const facts: [string, string][] = [
    ["Account holder", details.accountName],
    ["Bank", details.bankName],
    ["Account", details.accountNumber],
    ["BIC", details.bic],
  ];
  return (
    <div className="flex flex-col gap-2 rounded-control bg-sunken p-3 text-table">
      <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
        {facts.map(([name, value]) =>
          value ? (
            <div key={name} className="contents">
              <dt className="text-soft">{name}</dt>
              <dd className="[overflow-wrap:anywhere]">{value}</dd>
            </div>
          ) : null,
        )}
        <div className="contents">
          <dt className="text-soft">Reference</dt>
          <dd>{deposit ? <Copyable text={referenceOf(deposit.id)} what="Reference" /> : "You get it with the request"}</dd>
        </div>
      </dl>
      {details.instructions ? <p className="whitespace-pre-line [overflow-wrap:anywhere]">{details.instructions}</p> : null}
      {details.link ? (
        <a
          href={details.link}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center self-start text-accent underline underline-offset-2 [overflow-wrap:anywhere]"
        >
          Pay on {new URL(details.link).host}
        </a>
      ) : null}
      <p className="text-soft">Write the reference as the payment's purpose: by it the payment is found.</p>
    </div>
  );
}

type Waiting = { deposits: readonly Deposit[]; payments: readonly PaymentDetails[] };

/** Where the deposits that wait for a bank or card payment are paid. */
export function WaitingPayments({ deposits, payments }: Waiting) {
  const waiting = deposits.flatMap((deposit) => {
    const details = deposit.status === "pending" ? payments.find(({ method }) => method === deposit.method) : undefined;
    return details ? [{ deposit, details }] : [];
  });
  // The newest is what one comes to pay; the others have their references in the list.
  const [newest] = waiting;
  return newest ? (
    <Card label="Pay for your deposit" className="mb-4 max-w-[36rem] p-4">
      <h3 className="mb-2 font-semibold">{`How to pay by ${METHOD_WORDS[newest.deposit.method].toLowerCase()}`}</h3>
      <PaymentInstructions {...newest} />
    </Card>
  ) : null;
}
