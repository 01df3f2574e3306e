import { displayMoney } from "../../src/lib/money";
import { dealPrice, sideWord } from "../../src/trading/rules_prices";
import type { Position } from "../../src/trading/schema";
import { Profit } from "../accounts/Profit";
import { Button, ButtonLink } from "../ui/Button";
import { Card } from "../ui/Card";
import { Field } from "../ui/Field";
import { Notice } from "../ui/States";

type Props = {
  position: Position;
  demo: boolean;
  /** The list that it came from. */
  back: string;
  /** The key of this one closing: sent twice it is done once. */
  closing: string;
  /** What was sent and refused; null before. */
  sent: { amount: string; error: string | undefined; message: string } | null;
};

/** Asks before a position is closed, in part or whole, where no scripts run. */
export function ClosePositionPage({ position, demo, back, closing, sent }: Props) {
  const { id, type, symbol, amount, currentPrice, profit } = position;
  return (
    <div className="mx-auto flex w-full max-w-lg flex-col gap-4 px-4 py-6">
      <h1 className="text-title font-semibold">{`Close ${sideWord(type)} ${symbol}`}</h1>
      {sent?.message ? <Notice kind="error">{sent.message}</Notice> : null}
      <Card label="Question" className="flex flex-col gap-4 p-4">
        <p>
          {`${displayMoney(amount)} of ${demo ? "virtual" : "live"} money closes at the price of the moment of your press. As this page was made that was ${dealPrice(currentPrice, symbol)}, with a result of `}
          <Profit value={profit ?? "0.00"} />.
        </p>
        <form method="post" action="/positions/close" noValidate className="flex flex-col gap-4">
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="key" value={closing} />
          <Field
            id="close-amount"
            name="amount"
            label="Amount to close ($)"
            inputMode="decimal"
            defaultValue={sent?.amount ?? amount}
            error={sent?.error}
            hint="A part leaves the rest open."
          />
          <Button type="submit" variant="danger" wide>
            Close position
          </Button>
        </form>
        <ButtonLink variant="secondary" href={back}>
          Keep it open
        </ButtonLink>
      </Card>
    </div>
  );
}
