/** The public log by itself: how many entries a second are appended, what one costs beside an order, and how large a proof is. Its database is a throw-away one. */
import { leadAlone } from "../../src/platform/cluster/leader";
import { appendRound, type State } from "../../src/proof/commands";
import { readProofs } from "../../src/proof/queries";
import { testDatabase } from "../../src/testing/database";
import { appending, leaveNotes } from "../../src/testing/log_notes";
import type { Row } from "./table";

const ROUNDS = 20;
const EACH = 5_000;

type LogBench = { perSecond: number; microseconds: number; entries: number; proofBytes: number; hashes: number; proofMs: number };

/** Appends a hundred thousand entries, and makes proofs of some. */
export async function benchLog(): Promise<LogBench> {
  const db = await testDatabase();
  try {
    const given = appending(db.sql, await leadAlone(db.sql));
    let state: State = (await appendRound(given, null)).state;
    let [took, busy] = [0, 0];
    for (let n = 0; n < ROUNDS; n++) {
      await leaveNotes(db.sql, n * EACH + 1, (n + 1) * EACH);
      const [started, before] = [performance.now(), process.cpuUsage()];
      state = (await appendRound(given, state)).state;
      took += performance.now() - started;
      const { user, system } = process.cpuUsage(before);
      busy += user + system;
    }
    const refs = Array.from({ length: 200 }, (_, n) => String(((n * 7_919) % (ROUNDS * EACH)) + 1));
    const started = performance.now();
    const proofs = [...(await readProofs(db.sql, "audit", refs)).values()];
    return {
      perSecond: (ROUNDS * EACH * 1000) / took,
      microseconds: busy / (ROUNDS * EACH),
      entries: state.log.size,
      proofBytes: Math.max(...proofs.map((proof) => JSON.stringify(proof).length - JSON.stringify(proof.record).length)),
      hashes: Math.max(...proofs.map(({ inclusion }) => inclusion.length)),
      proofMs: (performance.now() - started) / refs.length,
    };
  } finally {
    await db.drop();
  }
}

export const logRows = ({ perSecond, microseconds, entries, proofBytes, hashes, proofMs }: LogBench): Row[] => [
  { what: "entries appended a second, 5,000 at a time", figure: Math.round(perSecond).toLocaleString("en") },
  { what: "the program's processor time for one (an order itself writes nothing for the log)", figure: `${microseconds.toFixed(1)} µs` },
  {
    what: `a proof in a log of ${entries.toLocaleString("en")} entries, without its record`,
    figure: `${proofBytes} bytes, ${hashes} hashes, made in ${proofMs.toFixed(2)} ms`,
  },
];
