import { readConfig } from "../config";
import { Mailer } from "../mail/mailer";
import type { AppContext } from "../platform/app_context";
import { connect } from "../platform/database/db";
import { createLog } from "../platform/log";
import { firstBrand } from "../platform/page/brand";

/** The mailer of the leading program and nothing else, in a process that a test can kill a hundred times: it leads once it is told to (SIGUSR1). */

const config = readConfig(process.env);
const sql = connect(config.databaseUrl ?? "", { max: 4 });
const mailer = new Mailer({ config, brand: firstBrand(config), sql, log: createLog("error", () => {}) } as unknown as AppContext);
process.on("SIGUSR1", () => mailer.lead());
void sql`select`.then(() => console.log(JSON.stringify({ msg: "ready" })));
