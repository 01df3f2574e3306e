/** Development: the browser's files are rebuilt and the server started anew whenever a source changes. */
import { watch } from "node:fs";
import { join } from "node:path";
import { buildClient } from "./build_client";

const ROOT = join(import.meta.dir, "..");
const QUIET = 150;

let server: Bun.Subprocess | null = null;

async function restart(): Promise<void> {
  const began = performance.now();
  try {
    await buildClient({ quick: true });
  } catch (error) {
    console.error(error);
    return;
  }
  server?.kill("SIGTERM");
  await server?.exited;
  server = Bun.spawn([process.execPath, "src/main.ts", ...process.argv.slice(2)], { cwd: ROOT, stdio: ["inherit", "inherit", "inherit"] });
  console.log(`built and started in ${(performance.now() - began).toFixed(0)} ms; watching`);
}

/** One restart after another; changes that come meanwhile ask for one more. */
let running = restart();
let timer: Timer | undefined;
for (const folder of ["src", "views", "islands", "sql", "public"])
  watch(join(ROOT, folder), { recursive: true }, (_, name) => {
    if (name?.includes(".test.")) return;
    clearTimeout(timer);
    timer = setTimeout(() => (running = running.then(restart)), QUIET);
  });

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, async () => {
    server?.kill("SIGTERM");
    await server?.exited;
    process.exit(0);
  });
