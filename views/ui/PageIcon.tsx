import type { ComponentProps } from "react";
import { drawn, type Icon } from "./Icon";

/** Of the same set, those that no island draws: no browser loads them. */
const PATHS = {
  external: "M13.5 4.5h6v6M19.5 4.5l-9 9M17.5 14.5v5h-13v-13h5",
  signOut: "M14 4.5H5.5v15H14M10 12h10.5M17 8.5l3.5 3.5-3.5 3.5",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5v13l10.5-6.5z",
  trash: "M4.5 6.5h15M9 6.5v-3h6v3M6.5 6.5l1 14h9l1-14M10 10.5v6M14 10.5v6",
} as const;

export type PageIconName = keyof typeof PATHS;
export const pageIconNames = Object.keys(PATHS) as PageIconName[];

/** An icon of a part of a page that only the server draws. */
export const PageIcon = ({ name, ...look }: Omit<ComponentProps<typeof Icon>, "name"> & { name: PageIconName }) => drawn(PATHS[name], look);
