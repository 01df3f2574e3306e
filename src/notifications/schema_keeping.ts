import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";

/** How somebody keeps the public log's checkpoint: once a day by letter, to the devices, or not at all. */
export const ways = ["off", "letter", "push"] as const;
export type Keeping = { way: (typeof ways)[number] };

export const readKeeping = endpoint("GET /api/profile/checkpoint", { answer: answer<Keeping>() });
export const setKeeping = endpoint("PUT /api/profile/checkpoint", {
  body: v.object({ way: v.picklist(ways, `way must be one of ${ways.join(", ")}.`) }),
  answer: answer<Keeping>(),
});
