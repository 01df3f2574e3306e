import { Icon } from "../ui/Icon";

/** The way to an alert on an instrument, beside its price. */
export const AlertButton = ({ symbol, onPress }: { symbol: string; onPress: () => void }) => (
  <button
    type="button"
    aria-label={`Set an alert on ${symbol}`}
    onClick={onPress}
    className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink md:size-9"
  >
    <Icon name="bell" />
  </button>
);
