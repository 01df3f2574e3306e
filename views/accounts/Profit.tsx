import { displayMoney } from "../../src/lib/money";
import { Delta } from "../ui/Price";

/** A result in USD, with its sign and its mark. */
export const Profit = ({ value, className }: { value: string; className?: string }) => <Delta value={displayMoney(value)} className={className ?? ""} />;
