/** Writes src/routes.txt, the list of all routes. Needs the built client. */
import { join } from "node:path";
import { testApp } from "../src/testing/app";
import { routesText } from "../src/testing/route_list";

const app = await testApp();
await Bun.write(join(import.meta.dir, "../src/routes.txt"), routesText(app.list));
await app.end();
process.exit(0);
