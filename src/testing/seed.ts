import fc from "fast-check";

/**
 * What the random tests draw their cases from. The same in each run, so that a failure comes again and a pass is no luck. `SEED=7` draws
 * others, `SEED=now` new ones each time. It is printed, to repeat a run by.
 */
const given = process.env.SEED ?? "1";
export const seed = given === "now" ? Date.now() % 2 ** 31 : Number(given);
if (!Number.isInteger(seed)) throw new Error("SEED is a whole number, or 'now'");
console.log(`SEED=${seed}`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
