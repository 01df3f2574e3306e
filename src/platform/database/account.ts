import { statSync } from "node:fs";

/** The account that PostgreSQL runs under; null is the program's own. */
export type Account = { uid: number; gid: number } | null;

export const isRoot = () => process.getuid?.() === 0;

/** The folder's owner, if the program is root and the owner is somebody else; null: the program's own account, or no such folder. */
export function ownerOf(folder: string): Account {
  const stat = isRoot() ? statSync(folder, { throwIfNoEntry: false }) : undefined;
  return stat && stat.uid !== 0 ? { uid: stat.uid, gid: stat.gid } : null;
}

/**
 * Works on files of this account with the account's own rights: a link that the account made there leads root nowhere that the account could
 * not go itself. The whole process has these rights meanwhile, so only a start may await anything here.
 */
export function asAccount<T>(account: Account, act: () => T): T {
  if (!account || !isRoot() || process.geteuid?.() === account.uid) return act();
  const groups = process.getgroups?.() ?? [];
  const back = () => {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  };
  process.setgroups?.([account.gid]);
  process.setegid?.(account.gid);
  process.seteuid?.(account.uid);
  let result: T;
  try {
    result = act();
  } catch (error) {
    back();
    throw error;
  }
  if (result instanceof Promise) return result.finally(back) as T;
  back();
  return result;
}
