import { createInterface } from "node:readline/promises";
import { StartError } from "./start_error";

/** Asks for a line. */
export async function askText(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
  } finally {
    lines.close();
  }
}

/** Asks for a line without showing what is typed; piped input is read as it comes. */
export async function askSecret(question: string): Promise<string> {
  if (!process.stdin.isTTY) return askText(question);
  process.stderr.write(question);
  process.stdin.setRawMode(true);
  try {
    return await typedLine();
  } finally {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stderr.write("\n");
  }
}

const ENTER = new Set(["\r", "\n", "\u0004"]);
const ERASE = new Set(["\u007f", "\b"]);
const INTERRUPT = "\u0003";

async function typedLine(): Promise<string> {
  const typed: string[] = [];
  for await (const chunk of process.stdin) {
    for (const key of String(chunk)) {
      if (key === INTERRUPT) throw new StartError("interrupted");
      if (ENTER.has(key)) return typed.join("");
      if (ERASE.has(key)) typed.pop();
      else typed.push(key);
    }
  }
  return typed.join("");
}
