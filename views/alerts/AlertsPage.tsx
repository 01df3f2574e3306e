import AlertHost from "../../islands/alerts/AlertHost";
import AlertList, { type AlertListProps } from "../../islands/alerts/AlertList";
import { WHICH_PRICE } from "./words";

/** A person's price alerts: those that wait, and those that are over. */
export const AlertsPage = (props: AlertListProps) => (
  <div className="flex w-full flex-col gap-4 px-4 py-6 md:px-6">
    <div>
      <h1 className="text-title font-semibold">Price Alerts</h1>
      <p className="max-w-prose text-soft">
        An alert tells you once that a price was reached, whether a page is open or not. {WHICH_PRICE}{" "}
        <a href="/profile#push" className="underline underline-offset-2">
          Push for this device
        </a>{" "}
        is switched on in your profile.
      </p>
    </div>
    <AlertList {...props} />
    <AlertHost />
  </div>
);
