import { cursorOf } from "../lib/cursor";
import { paged } from "../platform/answer";
import type { House } from "../platform/house";
import { Doors } from "../platform/http";
import * as deeds from "./commands_contact";
import * as queries from "./queries_contact";
import * as calls from "./schema_contact";
import { contactFile } from "./staff_files";

/** The staff's doors to what visitors wrote. */
export const contactStaffDoors = (house: House) =>
  new Doors(house)
    .admin(calls.listContact, async ({ query, visit }) =>
      query.format === "csv" ? contactFile(house.sql, query) : paged(visit.headers, await queries.listContact(house.sql, query), query.limit, cursorOf),
    )
    .admin(calls.decideContact, ({ act, params, body }) => deeds.decideContactMessage(house, act, params.id, body.status, body.note ?? ""));
