import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Glob } from "bun";
import { AS_POWERLESS, POWERLESS, unpackedBy } from "./debian";
import { read, type Received } from "./mail_server";
import { until } from "./scenarios";
import { ownAddress } from "./standby";

/** The name that Debian built in. */
const ACCOUNT = "Debian-exim";
const PORT = 2525;

/** Takes letters for t.test into one Maildir, and offers TLS under a certificate that it makes itself; some addresses are refused. */
const settings = (home: string, address: string) => `
exim_path = ${home}/exim4
spool_directory = ${home}/spool
log_file_path = ${home}/%slog
primary_hostname = mail.t.test
local_interfaces = ${address}
daemon_smtp_ports = ${PORT}
deliver_drop_privilege = true
keep_environment = ^LD_PRELOAD : ^NSS_WRAPPER_
host_lookup =
tls_advertise_hosts = *
smtp_accept_max = 0
acl_smtp_rcpt = rcpt
acl_smtp_data = accept

begin acl
rcpt:
  deny message = no such user here
       local_parts = nobody
  defer message = mailbox is full
       local_parts = full
  accept domains = t.test
  deny message = relay not permitted

begin routers
all:
  driver = accept
  transport = maildir

begin transports
maildir:
  driver = appendfile
  directory = ${home}/mail
  maildir_format
  envelope_to_add
  return_path_add

begin retry
* * F,1h,1m
`;

/** Debian's own mail server, Exim, as a process of the test's own: on an address of its own, in a folder of its own, without any rights. */
export async function openExim() {
  const unpacked = unpackedBy("exim");
  const { uid, gid } = POWERLESS;
  const home = mkdtempSync(join(tmpdir(), "halyard-exim-"));
  const [wrapper = ""] = [...new Glob("usr/lib/**/libnss_wrapper.so").scanSync(unpacked)];
  const address = ownAddress();
  copyFileSync(join(unpacked, "usr", "sbin", "exim4"), join(home, "exim4"));
  copyFileSync(join(unpacked, wrapper), join(home, "names.so"));
  writeFileSync(join(home, "exim.conf"), settings(home, address), { mode: 0o644 });
  writeFileSync(join(home, "passwd"), `root:x:0:0::/:\n${ACCOUNT}:x:${uid}:${gid}::/:\n`);
  writeFileSync(join(home, "group"), `root:x:0:\n${ACCOUNT}:x:${gid}:\n`);
  for (const name of ["spool", "mail"]) mkdirSync(join(home, name));
  chmodSync(join(home, "exim4"), 0o755);
  for (const name of ["", "spool", "mail"]) chownSync(join(home, name), uid, gid);
  const names = { LD_PRELOAD: join(home, "names.so"), NSS_WRAPPER_PASSWD: join(home, "passwd"), NSS_WRAPPER_GROUP: join(home, "group") };
  const [command = "", ...args] = [...AS_POWERLESS, join(home, "exim4"), "-C", join(home, "exim.conf"), "-bdf"];
  const server = spawn(command, args, { env: names, cwd: home, stdio: ["ignore", "ignore", "inherit"] });
  const log = () => (existsSync(join(home, "mainlog")) ? readFileSync(join(home, "mainlog"), "utf8") : "");
  await until("Exim listens", () => {
    if (server.exitCode !== null) throw new Error(`Exim ended with ${server.exitCode}`);
    return log().includes("listening for SMTP");
  });
  const got = new Map<string, Received>();
  return {
    url: `smtp://${address}:${PORT}`,
    log,
    /** The letters to an address, oldest first. */
    to(address: string): Received[] {
      const folder = join(home, "mail", "new");
      for (const name of existsSync(folder) ? readdirSync(folder) : []) if (!got.has(name)) got.set(name, received(readFileSync(join(folder, name), "latin1")));
      return [...got].sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, letter]) => (letter.to === address ? [letter] : []));
    },
    async close() {
      server.kill();
      if (server.exitCode === null) await once(server, "exit");
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A file of the Maildir, whose first lines say from whom and to whom it was given. */
function received(file: string): Received {
  const letter = read(file.replaceAll("\n", "\r\n"), "", "");
  const address = (name: string) => (letter.headers[name] ?? "").replace(/[<>]/g, "");
  return { ...letter, from: address("return-path"), to: address("envelope-to") };
}
