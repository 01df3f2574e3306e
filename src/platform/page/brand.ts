import type { Accents } from "../../../views/brand_colours";
import type { Config } from "../../config";

/** What every page and letter shows of the house. `css`: rules that put its accents in the place of the program's; `files`: its icons by their names. */
export type Brand = { version: number; name: string; sender: string; accents: Accents; css: string; logo: string | null; files: ReadonlyMap<string, Buffer> };

/** Before anybody set one. */
export const firstBrand = ({ brandName, mailFrom }: Pick<Config, "brandName" | "mailFrom">): Brand => ({
  version: 0,
  name: brandName,
  sender: mailFrom?.name ?? "",
  accents: { accentLight: null, accentDark: null },
  css: "",
  logo: null,
  files: new Map(),
});
