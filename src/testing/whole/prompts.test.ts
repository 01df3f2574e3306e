import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { verifyPassword } from "../../platform/password";
import { type TestDatabase, testDatabase } from "../database";
import { buildProgram, EXECUTABLE } from "../program";

/** Commands that ask: at a real terminal, and with their input piped or ended. */

const home = mkdtempSync("/tmp/halyard-prompts-");
chmodSync(home, 0o755);
let db: TestDatabase;
beforeAll(async () => {
  buildProgram();
  db = await testDatabase();
});
afterAll(async () => {
  await db.drop();
  rmSync(home, { recursive: true, force: true });
});

/** A command that hangs ends with its test. */
const PATIENCE = { timeout: 300_000, killSignal: "SIGKILL" } as const;
const PASSWORD = "correct horse battery";
const admins = async () => (await db.sql<{ email: string }[]>`select email from users where role = 'admin' order by email`).map(({ email }) => email);

/** Runs a command with this input, in these chunks, to its end. */
async function piped(args: string[], chunks: readonly string[]) {
  const child = Bun.spawn([EXECUTABLE, ...args], { cwd: home, env: db.env, stdin: "pipe", stdout: "pipe", stderr: "pipe", ...PATIENCE });
  for (const chunk of chunks) {
    child.stdin.write(chunk);
    await child.stdin.flush();
    await Bun.sleep(20);
  }
  await child.stdin.end();
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, stdout, stderr };
}

/** A shell's terminal in which a command runs; afterwards the shell tells the command's status and whether the terminal shows keys again. */
function atTerminal(args: string[]) {
  let shown = "";
  const words = [EXECUTABLE, ...args].map((word) => `'${word}'`).join(" ");
  const child = Bun.spawn(["sh", "-c", `trap : INT; ${words}; echo "status $?"; stty -a; echo "that is all"`], {
    cwd: home,
    env: { ...db.env, PATH: process.env.PATH },
    ...PATIENCE,
    terminal: { cols: 100, rows: 30, data: (_, bytes) => void (shown += Bun.stripANSI(Buffer.from(bytes).toString())) },
  });
  const terminal = child.terminal;
  return {
    async type(after: string, keys: string) {
      while (!shown.includes(after)) await Bun.sleep(5);
      terminal?.write(keys);
    },
    async end() {
      await child.exited;
      while (!shown.includes("that is all")) await Bun.sleep(5);
      terminal?.close();
      return { shown, status: Number(/status (\d+)/.exec(shown)?.[1]), restored: / icanon/.test(shown) && / echo /.test(shown) };
    },
  };
}

describe("a password that is not asked for", () => {
  const create = (...args: string[]) => piped(["admin", "create", "--email", ...args], []);

  test("comes from a file, where others do not see it", async () => {
    const file = `${home}/password`;
    writeFileSync(file, `${PASSWORD}\r\nnot this\n`);
    const created = { status: 0, stdout: "administrator file@example.test created\n", stderr: "" };
    expect(await create("file@example.test", "--password-file", file)).toEqual(created);
    const [stored] = await db.sql<{ password: string }[]>`select password from users where email = 'file@example.test'`;
    expect(await verifyPassword(PASSWORD, stored?.password ?? null)).toBe(true);
  });

  test("is taken from the command line with a warning", async () => {
    const { status, stderr } = await create("seen@example.test", "--password", PASSWORD);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^halyard: others may have seen the password in the list of processes;.*\n$/);
    expect(stderr).not.toContain(PASSWORD);
  });

  test("is refused where the file can't be read, or both are given", async () => {
    expect(await create("no@example.test", "--password-file", `${home}/none`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("can't be read: ENOENT"),
    });
    expect(await create("no@example.test", "--password-file", `${home}/password`, "--password", PASSWORD)).toMatchObject({ status: 2 });
    expect(await admins()).not.toContain("no@example.test");
  });
});

describe("at a terminal", () => {
  test("the email is asked and then the password, which does not show", async () => {
    const command = atTerminal(["admin", "create"]);
    await command.type("Email: ", "ada@example.test\r");
    await command.type("Password (12 characters or more): ", `${PASSWORD}\r`);
    const { shown, status, restored } = await command.end();
    expect(shown).toContain("administrator ada@example.test created");
    expect(shown).not.toContain(PASSWORD);
    expect([status, restored]).toEqual([0, true]);
    expect(await admins()).toContain("ada@example.test");
  });

  test.each([
    ["Ctrl-C at the email", [["Email: ", "\u0003"]]],
    ["Ctrl-D at the email", [["Email: ", "\u0004"]]],
    [
      "Ctrl-C at the password",
      [
        ["Email: ", "eve@example.test\r"],
        ["Password (12 characters or more): ", "half\u0003"],
      ],
    ],
    [
      "Ctrl-D at the password",
      [
        ["Email: ", "eve@example.test\r"],
        ["Password (12 characters or more): ", "\u0004"],
      ],
    ],
  ] as const)("%s breaks off in one line, and the terminal is as before", async (_name, keys) => {
    const command = atTerminal(["admin", "create"]);
    for (const [after, typed] of keys) await command.type(after, typed);
    const { shown, status, restored } = await command.end();
    expect([status, restored]).toEqual([1, true]);
    expect(shown).toContain("\r\nhalyard: interrupted\r\n");
    expect(shown).not.toMatch(/^\s+at /m);
    expect(await admins()).not.toContain("eve@example.test");
  });
});

describe("with piped input", () => {
  test.each([
    ["bob@example.test", [`bob@example.test\n${PASSWORD}\n`]],
    ["cid@example.test", ["cid@exam", `ple.test\n${PASSWORD.slice(0, 5)}`, `${PASSWORD.slice(5)}\n`]],
    ["dan@example.test", ["dan@example.test\n", PASSWORD]],
  ])("its lines are the answers, however they come: %s", async (email, chunks) => {
    expect(await piped(["admin", "create"], chunks)).toEqual({ status: 0, stdout: `administrator ${email} created\n`, stderr: "" });
    expect(await admins()).toContain(email);
  });

  test.each([
    ["admin create", [], "Email"],
    ["admin create", ["eve@example.test\n"], "Password (12 characters or more)"],
    ["admin create --email eve@example.test", [], "Password (12 characters or more)"],
    ["admin reset-2fa", [], "Email"],
  ])("'%s' tells in one line that it ended: %p", async (command, chunks, question) => {
    const told = `halyard: the input ended before an answer to '${question}'; see halyard --help\n`;
    expect(await piped(command.split(" "), chunks)).toEqual({ status: 2, stdout: "", stderr: told });
  });
});

describe("an administrator", () => {
  test.each([
    ["notmail", PASSWORD, "Please enter a valid email address"],
    ["a@b", PASSWORD, "Please enter a valid email address"],
    ["", PASSWORD, "Please enter a valid email address"],
    ["eve@example.test", "short", "Administrators need a password of at least 12 characters"],
    ["eve@example.test", "x".repeat(201), "Password must be at most 200 characters"],
  ])("is not made as '%s' with %p", async (email, password, told) => {
    expect(await piped(["admin", "create", "--email", email, "--password", password], [])).toEqual({ status: 2, stdout: "", stderr: `halyard: ${told}\n` });
    expect(await piped(["admin", "create"], [`${email}\n${password}\n`])).toMatchObject({ status: 2, stderr: `halyard: ${told}\n` });
  });
});
