import { fromBase64 } from "../lib/bytes";
import { isConsistent } from "../proof/rules_merkle";
import { openCheckpoint, signatureLine, signerOf, verifierText } from "../proof/rules_note";
import { LOG_KEY } from "./database";
import { seedOf } from "./log_notes";

/**
 * A witness as the standard has one: it keeps the newest checkpoint of each log, signs what only grew from it, and says what it has where it is told
 * otherwise. `answer` set: what it says instead, whatever it is asked.
 */
export function openWitness(name: string, seed = 1) {
  const signer = signerOf(name, new Uint8Array(32).fill(seed), "cosignature");
  const states = new Map<string, { size: number; root: Uint8Array }>();
  const witness = {
    signer,
    states,
    /** From which size it was asked, each time. */
    asked: [] as number[],
    answer: null as (() => Response) | null,
    url: "",
    setting: "",
    stop: () => server.stop(true),
  };
  const sign = (body: string): Response => {
    const at = body.indexOf("\n\n");
    const [first = "", ...proof] = body.slice(0, at).split("\n");
    const note = body.slice(at + 2);
    const checkpoint = openCheckpoint(note, [signerOf(note.slice(0, note.indexOf("\n")), seedOf(LOG_KEY))]);
    if (!checkpoint) return new Response("", { status: 403 });
    const { origin, size, root } = checkpoint;
    const known = states.get(origin) ?? { size: 0, root: new Uint8Array() };
    const old = Number(first.slice(4));
    witness.asked.push(old);
    const conflict = () => new Response(`${known.size}\n`, { status: 409, headers: { "Content-Type": "text/x.tlog.size" } });
    if (old !== known.size) return conflict();
    const hashes = proof.map((hash) => fromBase64(hash) as Uint8Array);
    if (old === size && !isConsistent(old, known.root, size, root, hashes)) return conflict();
    if (old > 0 && !isConsistent(old, known.root, size, root, hashes)) return new Response("", { status: 422 });
    states.set(origin, { size, root });
    return new Response(signatureLine(checkpoint.text, signer, 1_800_000_000));
  };
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: async (request) => witness.answer?.() ?? sign(await request.text()) });
  witness.url = `http://127.0.0.1:${server.port}`;
  witness.setting = `${witness.url} ${verifierText(signer)}`;
  return witness;
}
