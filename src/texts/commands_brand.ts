import type { InferOutput } from "valibot";
import { accentFault } from "../../views/brand_colours";
import { Refusal } from "../lib/refusal";
import type { Act, AppContext } from "../platform/app_context";
import { brandNow, takeBrand } from "./brand";
import { drawnAnew } from "./pictures";
import type { BrandNow, brandBody, PictureKind } from "./schema_brand";

/** What each field is called in the table. */
const COLUMNS = { name: "name", sender: "sender", accentLight: "accent_light", accentDark: "accent_dark", logo: "logo", icon: "icon" } as const;
type Said = Partial<Record<keyof typeof COLUMNS, string | null | undefined>>;

async function put(app: AppContext, act: Act, seen: number, said: Said, reason: string): Promise<BrandNow> {
  const columns = Object.entries(COLUMNS).flatMap(([field, column]) => (said[field as keyof Said] === undefined ? [] : [[column, said[field as keyof Said]]]));
  await app.sql`
    select brand_put(
      ${act.admin.id}, ${seen}, ${app.config.brandName}, ${JSON.stringify(Object.fromEntries(columns))}::text::jsonb, ${reason}, ${act.ip}, ${act.userAgent}
    )`;
  await takeBrand(app);
  app.bus.publish("brand", {});
  app.bus.publish("staff", { about: "setting" });
  return brandNow(app);
}

/**
 * Changes name, sender or accents, or takes a picture back. Refuses (conflict) whose version is not the newest any more, and (invalid, with the
 * field) an accent that can't be read: `views/palette.ts` says what is written on what.
 */
export async function changeBrand(app: AppContext, act: Act, { version, reason, ...said }: InferOutput<typeof brandBody>): Promise<BrandNow> {
  const faults = (
    [
      ["accentLight", "light"],
      ["accentDark", "dark"],
    ] as const
  ).flatMap(([field, mode]) => {
    const accent = said[field];
    const fault = accent ? accentFault(accent, mode) : null;
    return fault === null ? [] : [[field, `Choose another colour: ${fault}.`] as const];
  });
  if (faults[0]) throw new Refusal("invalid", faults[0][1], Object.fromEntries(faults));
  return put(app, act, version, said, reason);
}

/** Puts a picture in its place. Refuses what `drawnAnew` refuses, and (conflict) as `changeBrand` does. */
export const changePicture = async (app: AppContext, act: Act, kind: PictureKind, file: Uint8Array, version: number, reason: string): Promise<BrandNow> =>
  put(app, act, version, { [kind]: `\\x${Buffer.from(await drawnAnew(kind, file)).toString("hex")}` }, reason);
