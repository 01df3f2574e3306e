import { gatherLinks } from "../../src/proof/rules_ended_links";
import type { ReadPath } from "../../src/proof/rules_growth";
import type { Asked } from "../../src/proof/rules_verify_ended";

export const readSite: ReadPath = async (path) => {
  const response = await fetch(path);
  return response.ok ? new Uint8Array(await response.arrayBuffer()) : null;
};

/** What the site serves of its earlier logs, for each question of a check; null where it can't be had, as offline. */
export const askSite = (asks: readonly Asked[]) => Promise.all(asks.map((asked) => gatherLinks(asked, readSite).catch(() => null)));
