import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { idParams, instantOrNone, optionalText, text } from "../lib/shapes";

/** What the operator claims of the house on public pages, and on what evidence. Instants are ISO 8601. */

export const claimKinds = ["award", "licence", "client_numbers", "other"] as const;

const said = {
  kind: v.picklist(claimKinds),
  text: v.string(),
  /** Words that say what proves it; without them no page shows the claim. */
  evidence: v.string(),
  /** Where the proof can be read, by https. */
  link: v.nullable(v.string()),
};
/** A claim as pages show it. */
export const shownClaimRow = v.strictObject(said);
export type ShownClaim = v.InferOutput<typeof shownClaimRow>;

/** A version of a claim; it is said from `startsAt` (null: at once) until `endsAt` (null: until it is taken back). */
export const houseClaimRow = v.strictObject({
  id: v.string(),
  version: v.number(),
  ...said,
  startsAt: v.nullable(v.string()),
  endsAt: v.nullable(v.string()),
  administrator: v.nullable(v.string()),
  reason: v.string(),
  createdAt: v.string(),
});
export type HouseClaim = v.InferOutput<typeof houseClaimRow>;

const HTTPS = "Give an address that begins with https://.";
const link = v.pipe(
  v.nullable(v.pipe(v.string(HTTPS), v.trim(), v.maxLength(500, "At most 500 characters."))),
  v.transform((address) => address || null),
  v.nullable(
    v.pipe(
      v.string(),
      v.check((address) => address.startsWith("https://") && URL.canParse(address), HTTPS),
    ),
  ),
);
const kind = v.picklist(claimKinds, `kind must be one of ${claimKinds.join(", ")}`);
const words = text(120, "The words of the claim are required");
const reason = text(500, "A reason is required");
const time = { startsAt: v.optional(instantOrNone), endsAt: v.optional(instantOrNone) };

export const newClaimBody = v.object({ kind, text: words, evidence: optionalText(300), link: v.optional(link, null), ...time, reason });
/** What is left out stays as it was. `version`: the one that was looked at; where it is another by now, nothing changes (conflict). */
export const claimBody = v.object({
  kind: v.optional(kind),
  text: v.optional(words),
  evidence: v.optional(v.pipe(v.string("This must be text."), v.trim(), v.maxLength(300, "At most 300 characters."))),
  link: v.optional(link),
  ...time,
  version: v.pipe(v.union([v.string(), v.number()], "version is required"), v.transform(Number), v.integer("version must be a whole number")),
  reason,
});
/** The newest first, at most 100. */
export const listClaims = endpoint("GET /api/admin/house-claims", { answer: answer<HouseClaim[]>() });
/** The versions of one, the newest first, at most 100. */
export const listClaimVersions = endpoint("GET /api/admin/house-claims/:id/versions", { params: idParams, answer: answer<HouseClaim[]>() });
export const makeClaim = endpoint("POST /api/admin/house-claims", { body: newClaimBody, answer: answer<HouseClaim>(), status: 201 });
export const changeClaim = endpoint("PATCH /api/admin/house-claims/:id", { params: idParams, body: claimBody, answer: answer<HouseClaim>() });
