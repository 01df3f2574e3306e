import type { InferOutput } from "valibot";
import { found } from "../lib/refusal";
import type { Act, AppContext, Me } from "../platform/app_context";
import { textVersions } from "./queries";
import type { publishBody, TextPage, TextVersion } from "./schema";

/** Another version of a page's text. Refuses (conflict) one that would hold before a version that waits for its day. */
export async function publish(
  app: AppContext,
  act: Act,
  page: TextPage,
  { body, mustAccept, effectiveAt, reason }: InferOutput<typeof publishBody>,
): Promise<TextVersion> {
  const [made] = await app.sql<{ version: number }[]>`
    select page_text_publish(
      ${act.admin.id}, ${page}, ${body}, ${mustAccept && page === "terms"}, ${effectiveAt}, ${reason}, ${act.ip}, ${act.userAgent}
    ) as version`;
  app.bus.publish("staff", { about: "setting" });
  const versions = await textVersions(app.sql, page);
  return found(versions.find(({ version }) => version === made?.version) ?? null);
}

/** Notes that somebody accepted the terms. Refuses (conflict) a version that does not hold any more. */
export async function accept({ sql }: AppContext, me: Me, version: number): Promise<{ version: number }> {
  await sql`select terms_accept(${me.id}, ${version})`;
  return { version };
}
