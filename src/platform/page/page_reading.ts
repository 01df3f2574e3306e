import { inTime } from "../../lib/time";
import type { AppContext, Me } from "../app_context";
import { type Reading, together } from "../database/reading";
import type { RequestContext } from "../http/request_context";
import type { Page } from "./page";

/** What a page of the signed-in reads, and how it is drawn of that. Where that takes longer than somebody should wait, `late` is drawn in its place. */
export type PageReading<D> = {
  read(of: { context: RequestContext; personId: string }): Reading<D>;
  draw(of: { context: RequestContext; me: Me; data: D }): Promise<Page | Response> | Page | Response;
  late?: Late;
};
type Late = { afterMs: number; draw(): Promise<Page> | Page };

/** `meet` looks the session up by itself. */
type Door = Pick<AppContext, "authenticator" | "sql"> & { meet(): Promise<Me | null> };

/** The page of whoever is signed in, read and met in one statement once it is known whose session it is; null where it opens nothing. */
export async function readAndDrawn<D>(context: RequestContext, { read, draw, late }: PageReading<D>, { authenticator, sql, meet }: Door) {
  const meeting = authenticator.meetingOf(context);
  const personId = meeting?.personId ?? (await meet())?.id;
  if (!personId) return null;
  const data = read({ context, personId }).untold();
  const met = meeting ? together(sql, { me: meeting.me, data }) : data.map((told) => ({ me: context.me, data: told }));
  const found = late ? await inTime(met, late.afterMs) : await met;
  const me = found ? found.me : (context.me ?? (await meet()));
  context.me = me;
  if (!me) return null;
  return found ? draw({ context, me, data: found.data() }) : (late as Late).draw();
}
