import { expect, test } from "bun:test";
import { PassThrough } from "node:stream";
import { StartError, UsageError } from "./start_error";
import { Terminal } from "./terminal";

/** A terminal whose keys the test types; `shown` is what is on the screen, `modes` how often it was made raw and cooked again. */
function typedAt({ isTTY }: { isTTY: boolean }) {
  const keys = new PassThrough();
  const shown: string[] = [];
  const modes: boolean[] = [];
  const stream = Object.assign(keys, { isTTY, setRawMode: (raw: boolean) => void modes.push(raw) });
  return { keys, shown, modes, terminal: new Terminal(stream as never, { write: (text) => void shown.push(text) }) };
}

test.each([
  ["one", ["ada@example.test\nsecret word\n"]],
  ["several", ["ada@exa", "mple.test\nsec", "ret word\n"]],
  ["one a line", ["ada@example.test\n", "secret word\n"]],
  ["one, of another system,", ["ada@example.test\r\nsecret word\r\n"]],
  ["one without its last line's end", ["ada@example.test\nsecret word"]],
])("piped lines are the answers when they come in %s chunk", async (_name, chunks) => {
  const { keys, shown, terminal } = typedAt({ isTTY: false });
  for (const chunk of chunks) keys.write(chunk);
  keys.end();
  expect([await terminal.askText("Email"), await terminal.askSecret("Password")]).toEqual(["ada@example.test", "secret word"]);
  expect(shown).toEqual([]);
});

test("letters of several bytes may be cut between two chunks", async () => {
  const { keys, terminal } = typedAt({ isTTY: false });
  const bytes = Buffer.from("pässwörd 🔑\n");
  for (const byte of bytes) keys.write(Buffer.from([byte]));
  expect(await terminal.askSecret("Password")).toBe("pässwörd 🔑");
});

test("input that ends before the answer is a wrong use, at whichever question", async () => {
  const { keys, terminal } = typedAt({ isTTY: false });
  const first = terminal.askText("Email");
  keys.end("ada@example.test\n");
  expect(await first).toBe("ada@example.test");
  const error = await terminal.askSecret("Password").catch((error: unknown) => error);
  expect(error).toBeInstanceOf(UsageError);
  expect((error as Error).message).toBe("the input ended before an answer to 'Password'; see halyard --help");
  expect(await terminal.askText("Name").catch((error: unknown) => error)).toBeInstanceOf(UsageError);
});

test("what is typed at a secret does not show, can be erased, and the terminal is given back", async () => {
  const { keys, shown, modes, terminal } = typedAt({ isTTY: true });
  const answer = terminal.askSecret("Password");
  for (const key of ["s", "x🔑", "\u007f", "\b", "ecret", "\r"]) keys.write(key);
  expect(await answer).toBe("secret");
  expect([shown.join(""), modes]).toEqual(["Password: \n", [true, false]]);
});

test.each([
  ["Ctrl-C", "half\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s at a secret breaks off and gives the terminal back", async (_name, typed) => {
  const { keys, modes, terminal } = typedAt({ isTTY: true });
  const answer = terminal.askSecret("Password").catch((error: unknown) => error);
  keys.write(typed);
  expect(await answer).toEqual(new StartError("interrupted"));
  expect(modes).toEqual([true, false]);
});
