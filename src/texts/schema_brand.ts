import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { text } from "../lib/shapes";

/** The house's own name, accents and pictures. Colours are `#rrggbb`; instants are ISO 8601. */

export const pictureKinds = ["logo", "icon"] as const;
export type PictureKind = (typeof pictureKinds)[number];

const said = {
  name: v.string(),
  /** The name that letters come from; "" where it is `name`. */
  sender: v.string(),
  /** Null: the program's own. */
  accentLight: v.nullable(v.string()),
  accentDark: v.nullable(v.string()),
};
/** A version. `logo` and `icon`: the address of its picture, null where it is the program's own. */
export const brandRow = v.strictObject({
  version: v.number(),
  ...said,
  logo: v.nullable(v.string()),
  icon: v.nullable(v.string()),
  administrator: v.nullable(v.string()),
  reason: v.string(),
  createdAt: v.string(),
});
export type BrandVersion = v.InferOutput<typeof brandRow>;
/** What is in force; version 0 is what the settings and the program say. */
export type BrandNow = Pick<BrandVersion, "version" | "name" | "sender" | "accentLight" | "accentDark" | "logo" | "icon">;

const COLOUR = "Give a colour such as #0b5fcc.";
const colour = v.pipe(
  v.nullable(v.pipe(v.string(COLOUR), v.trim(), v.toLowerCase())),
  v.transform((written) => written || null),
  v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/, COLOUR))),
);
const version = v.pipe(v.union([v.string(), v.number()], "version is required"), v.transform(Number), v.integer("version must be a whole number"));
const reason = text(500, "A reason is required");
const line = (most: number) =>
  v.pipe(v.string("This must be text."), v.trim(), v.maxLength(most, `At most ${most} characters.`), v.regex(/^\P{Cc}*$/u, "This must be one line."));

/** What is left out stays as it was. `version`: the one that was looked at; where it is another by now, nothing changes (conflict). */
export const brandBody = v.object({
  name: v.optional(v.pipe(line(40), v.minLength(1, "A name is required."))),
  sender: v.optional(line(60)),
  accentLight: v.optional(colour),
  accentDark: v.optional(colour),
  /** Null: back to the program's own. */
  logo: v.optional(v.null("A picture is sent as a file.")),
  icon: v.optional(v.null("A picture is sent as a file.")),
  version,
  reason,
});

export const readBrand = endpoint("GET /api/admin/brand", { answer: answer<BrandNow>() });
/** The newest first, at most 100. */
export const listBrandVersions = endpoint("GET /api/admin/brand/versions", { answer: answer<BrandVersion[]>() });
export const changeBrand = endpoint("PATCH /api/admin/brand", { body: brandBody, answer: answer<BrandNow>() });
/** The file is the request's body: PNG, JPEG or WebP, which is drawn anew at its place's size. */
export const changePicture = endpoint("POST /api/admin/brand/pictures", {
  query: v.object({ kind: v.picklist(pictureKinds, `kind must be one of ${pictureKinds.join(", ")}`), version, reason }),
  answer: answer<BrandNow>(),
});
