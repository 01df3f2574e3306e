import { classes } from "../ui/classes";
import { Icon, type IconName } from "../ui/Icon";
import type { PortalTab } from "./tabs";
import { SIDE } from "./tabs";

type Props = {
  path: string;
  tab: PortalTab | null;
  /** Open positions, and orders that wait. */
  open: number;
  waiting: number;
};

const PLACES: { id: PortalTab | ""; label: string; icon: IconName }[] = [
  { id: "", label: "Chart", icon: "candles" },
  { id: "forex", label: "Watchlist", icon: "eye" },
  { id: "positions", label: "Positions", icon: "layers" },
  { id: "waiting", label: "Waiting", icon: "clock" },
  { id: "history", label: "History", icon: "receipt" },
];

/** The places of a phone's trading screen, under the thumb. Links, which the page follows in place. */
export function PhoneTabs({ path, tab, open, waiting }: Props) {
  const isAt = (id: string) => id === (tab ?? "") || (id === "forex" && tab !== null && SIDE.includes(tab));
  const counts: Record<string, number> = { positions: open, waiting };
  return (
    <nav aria-label="Trading screen" data-bottom-bar="" className="desk-nav js-only">
      {PLACES.map(({ id, label, icon }) => (
        <a
          key={id}
          href={id ? `${path}${path.includes("?") ? "&" : "?"}tab=${id}` : path}
          data-tab={id}
          aria-current={isAt(id) ? "page" : undefined}
          className={classes("desk-place", isAt(id) ? "font-semibold text-accent" : "text-soft")}
        >
          <Icon name={icon} />
          <span>{label}</span>
          {counts[id] ? (
            <b className="absolute left-1/2 top-1 ml-2 min-w-4 rounded-full bg-accent px-1 text-center text-[0.625rem] leading-4 tabular-nums text-on-accent">
              {counts[id]}
            </b>
          ) : null}
        </a>
      ))}
    </nav>
  );
}
