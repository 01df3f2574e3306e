import * as v from "valibot";
import { type Permission, permissionsOf } from "../lib/permissions";
import { many, one, type Sql } from "../platform/database/db";
import { newServerKeys, type ServerKeys } from "./envelope";
import { notificationTypes } from "./schema";

const keysRow = v.strictObject({ publicKey: v.string(), privateKey: v.string() });
export const deviceRow = v.strictObject({
  id: v.string(),
  endpoint: v.string(),
  p256dh: v.string(),
  auth: v.string(),
  kinds: v.array(v.picklist(notificationTypes)),
});
export type Device = v.InferOutput<typeof deviceRow>;
const countRow = v.strictObject({ count: v.number() });

/** The server's keys, made by whoever needs them first. */
export async function serverKeys(sql: Sql): Promise<ServerKeys> {
  const ask = () => one(keysRow, sql`select public_key as "publicKey", private_key as "privateKey" from push_keys`);
  const known = await ask();
  if (known) return known;
  const made = await newServerKeys();
  await sql`insert into push_keys (public_key, private_key) values (${made.publicKey}, ${made.privateKey}) on conflict do nothing`;
  return (await ask()) ?? made;
}

export const devicesOf = async (sql: Sql, adminId: string): Promise<number> =>
  (await one(countRow, sql`select count(*) as count from push_devices where admin_id = ${adminId}`))?.count ?? 0;

/** How many devices of a person are told what concerns the person. */
export const ownDevicesOf = async (sql: Sql, userId: string): Promise<number> =>
  (await one(countRow, sql`select count(*) as count from push_devices where admin_id = ${userId} and own`))?.count ?? 0;

export const deviceColumns = (sql: Sql) => sql`d.id, d.endpoint, d.p256dh, d.auth, d.kinds`;

export const ownDevice = (sql: Sql, adminId: string, endpoint: string): Promise<Device | null> =>
  one(deviceRow, sql`select ${deviceColumns(sql)} from push_devices d where d.admin_id = ${adminId} and d.endpoint = ${endpoint}`);

/** At most so many devices get a message. */
const MOST_DEVICES = 500;

const staffDeviceRow = v.strictObject({ ...deviceRow.entries, staffRole: v.nullable(v.string()), stored: v.nullable(v.array(v.string())) });

/** The devices of everyone who is active staff at this moment and may know of what takes this permission. */
export async function devicesToTell(sql: Sql, permission: string): Promise<Device[]> {
  const devices = await many(
    staffDeviceRow,
    sql`
      select ${deviceColumns(sql)}, u.staff_role as "staffRole", r.permissions as stored
      from push_devices d
      join users u on u.id = d.admin_id
      left join staff_roles r on r.id = u.staff_role
      where u.role = 'admin' and (u.account_status = 'active' or (u.account_status = 'suspended' and u.suspended_until <= now()))
      order by d.created_at
      limit ${MOST_DEVICES}
    `,
  );
  return devices.flatMap(({ staffRole, stored, ...device }) => (permissionsOf(staffRole, stored).includes(permission as Permission) ? [device] : []));
}
