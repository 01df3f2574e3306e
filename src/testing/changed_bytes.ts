import { verify } from "../proof/rules_verify";
import { dice } from "./dice";

/** Changes the bytes of a proof one by one: whatever is changed, it must not hold. */

const lengthOf = (text: string) => new TextEncoder().encode(text).length;

/** Where the checkpoint stands again, byte for byte: of each copy some bytes are changed, of the first all. */
function repeated(text: string): [number, number][] {
  const places = [...text.matchAll(/"checkpoint":"(?:[^"\\]|\\.)*"/g)].map(({ index, 0: found }): [number, number] => {
    const from = lengthOf(text.slice(0, index));
    return [from, from + lengthOf(found)];
  });
  return places.slice(1);
}

/** The same bytes in each run; mostly others that a text has, since what no text has is refused before anything is checked. */
const SEED = 22;

/**
 * Changes every `stride`-th byte, of checkpoints that stand again fewer: one bit of it, and a fourth of them for another byte altogether. Throws where the proof holds
 * for all that, or is refused without a word.
 */
export function changeEach(text: string, key: string, stride = 1): void {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const again = repeated(text);
  const chance = dice(SEED);
  /** Any byte but `from`: a sign that can be typed, or, once in eight times, one of all 256. */
  const other = (from: number): number => {
    const to = chance.chance(1 / 8) ? chance.below(256) : 0x20 + chance.below(0x5f);
    return to === from ? other(from) : to;
  };
  for (let at = 0; at < bytes.length; at += stride) {
    if (at % 41 !== 0 && again.some(([from, to]) => at >= from && at < to)) continue;
    const was = bytes[at] ?? 0;
    // A bit that keeps the byte a letter, digit or sign; and the case of a letter.
    for (const to of [was ^ (at % 3 === 0 ? 0x20 : 1), ...(chance.chance(1 / 4) ? [other(was)] : [])]) {
      const { holds, reason } = verify(decoder.decode(bytes.with(at, to)), { key });
      const place = `byte ${at} changed to ${to}: ${text.slice(Math.max(0, at - 30), at + 10)}`;
      if (holds) throw new Error(`it holds with ${place}`);
      if ((reason?.length ?? 0) <= 10) throw new Error(`no word with ${place}`);
    }
  }
}
