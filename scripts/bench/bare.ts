/** What Elysia alone can do here: a constant string, once from a handler and once as a value that Bun answers without JavaScript. */
import { Elysia } from "elysia";

const app = new Elysia()
  .get("/handler", () => "A constant string.")
  .get("/value", "A constant string.")
  .listen({ port: 0, hostname: "127.0.0.1" });
console.log(app.server?.port);
await Bun.stdin.text();
process.exit(0);
