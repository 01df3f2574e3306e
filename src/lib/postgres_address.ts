/**
 * Where a PostgreSQL is, as a URL in libpq's ways: one host, a server on a Unix socket (`?host=/folder`), or several hosts of which one takes
 * writes: https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
const PARTS = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
const PORT = 5432;

/** Several hosts, and the port of each. */
type Hosts = { host: string[]; port: number[] };

/** The hosts between the commas, each with its port where one is named. */
const listed = (url: string): string[] => (PARTS.exec(url)?.[2] ?? "").split(",");

/** The URL as if the first of its hosts were the only one. Throws TypeError where it is no URL. */
export const firstOf = (url: string): URL => new URL(url.replace(PARTS, (_, head: string, hosts: string, rest: string) => head + hosts.split(",")[0] + rest));

/** True for a URL that names a server: hosts, each of which can be read, or a socket's folder. */
export function isAddress(url: string): boolean {
  const hosts = listed(url);
  if (!PARTS.test(url) || !hosts.every((host) => URL.canParse(`postgres://${host}/`))) return false;
  return hosts.every((host) => new URL(`postgres://${host}/`).hostname !== "") || (hosts.length === 1 && Boolean(socketFolderOf(url)));
}

/** The hosts of a URL that names more than one; null where it names one. */
export function hostsOf(url: string): Hosts | null {
  const hosts = listed(url).map((host) => new URL(`postgres://${host}/`));
  if (hosts.length < 2) return null;
  return { host: hosts.map(({ hostname }) => hostname.replace(/^\[|\]$/g, "")), port: hosts.map(({ port }) => Number(port || PORT)) };
}

/** The folder of a server's Unix socket; null where it is named by its host. */
export const socketFolderOf = (url: string): string | null => firstOf(url).searchParams.get("host");

/** What may be told of it: the hosts, with nothing of who signs in there. */
export const hostNameOf = (url: string): string => socketFolderOf(url) || listed(url).join(", ");
