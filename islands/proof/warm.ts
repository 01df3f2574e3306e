import sample from "../../docs/proofs/position.json";
import { verify } from "../../src/proof/rules_verify";

/**
 * Checks a proof that nobody asks about: a browser's first check takes several times as long as its second, since it reads and works out what
 * every check needs. Whoever looks for his file meanwhile has the second.
 */
export function warmUp(): void {
  verify(JSON.stringify(sample));
}
