import type { ReactNode } from "react";
import type { House } from "./house";
import type { Visit } from "./http";

/** A page as a handler answers it: its data already fetched, ready to be drawn. */
export type Page =
  | {
      kind?: "page";
      title: string;
      description?: string;
      body: ReactNode;
      status?: number;
      /** Search engines are told to leave it out; signed-in pages always are. */
      noindex?: boolean;
      /** Names a page that is the same for every signed-out visitor: rendered once and kept, with ETag and compressed bytes. */
      keep?: string;
    }
  | { kind: "error"; status: number; message: string };

export function renderPage(_house: House, _page: Page, _visit: Visit): Promise<Response> {
  throw new Error("being built");
}
