import type { ComponentProps } from "react";
import { drawn, type Icon, type IconName, paths } from "./Icon";

/** Of the same set, those that no island draws: no browser loads them. */
const OWN = {
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4",
  moon: "M20 14.2A8.2 8.2 0 0 1 9.8 4a8.2 8.2 0 1 0 10.2 10.2z",
  bolt: "M13 3.5L5.5 13.5H11l-1 7 8-10.5h-5.5z",
  gift: "M4.5 11.5v9h15v-9M3.5 7.5h17v4h-17zM12 7.5v13M12 7.5c-1.5-4-6-4.5-6-2 0 2 3 2 6 2zM12 7.5c1.5-4 6-4.5 6-2 0 2-3 2-6 2z",
  medal: "M12 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM8.5 13.5L7 20.5l5-2.5 5 2.5-1.5-7",
  pin: "M12 21c4.5-4.6 6.75-8.2 6.75-11a6.75 6.75 0 0 0-13.5 0c0 2.8 2.25 6.4 6.75 11zM12 7.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  external: "M13.5 4.5h6v6M19.5 4.5l-9 9M17.5 14.5v5h-13v-13h5",
  signOut: "M14 4.5H5.5v15H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5v13l10.5-6.5z",
  trash: "M4.5 6.5h15M9 6.5v-3h6v3M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6",
} as const;

type OwnName = keyof typeof OWN;
/** An icon of either set. */
export type PageIconName = OwnName | IconName;
export const pageIconNames = Object.keys(OWN) as OwnName[];

/** An icon of a part of a page that only the server draws. */
export const PageIcon = ({ name, ...look }: Omit<ComponentProps<typeof Icon>, "name"> & { name: PageIconName }) => drawn({ ...paths, ...OWN }[name], look);
