import * as v from "valibot";
import { answer, endpoint } from "../lib/endpoint";
import { line } from "../lib/line";
import { allPermissions } from "../lib/permissions";
import { text, versionSeen } from "../lib/shapes";
import { roleId } from "./schema_roles";

/** What roles of staff there are, and what each lets do. */

const holderRow = v.strictObject({ id: v.string(), firstName: v.string(), lastName: v.string(), email: v.string(), accountStatus: v.string() });
/** A role of staff with who has it. `builtIn`: every house has it, and nobody changes it. */
export const staffRoleRow = v.strictObject({
  id: v.string(),
  name: v.string(),
  permissions: v.array(v.picklist(allPermissions)),
  builtIn: v.boolean(),
  holders: v.array(holderRow),
  createdAt: v.string(),
  updatedAt: v.string(),
  /** Of its name and permissions. */
  version: v.string(),
});
export type StaffRole = v.InferOutput<typeof staffRoleRow>;

const name = line(60, "Give the role a name");
const permissions = v.pipe(
  v.array(v.picklist(allPermissions, "This is none of the permissions that there are."), "permissions must be a list"),
  v.minLength(1, "Choose what the role lets do."),
  v.maxLength(100),
  v.transform((list) => allPermissions.filter((each) => list.includes(each))),
);
const reason = text(500, "A reason is required");

/** The built-in ones first, then the house's own by name. */
export const listRoles = endpoint("GET /api/admin/roles", { answer: answer<StaffRole[]>() });
export const roleBody = v.object({ id: v.optional(roleId), name, permissions, reason });
/** A role of the house's own; without `id` it is made of the name. 409 where there is one of this id or name; 403 for what the caller may not do. */
export const createRole = endpoint("POST /api/admin/roles", { body: roleBody, answer: answer<StaffRole>(), status: 201 });
/** Changes name or permissions, for whoever has the role from their next request on. 409 for a built-in one, and for a version that does not stand any more. */
export const changeStaffRole = endpoint("PATCH /api/admin/roles", {
  body: v.object({ id: roleId, name: v.optional(name), permissions: v.optional(permissions), version: versionSeen, reason }),
  answer: answer<StaffRole>(),
});
