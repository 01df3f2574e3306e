import { verify } from "../proof/rules_verify";

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

/** Changes every `stride`-th byte, of checkpoints that stand again fewer. Throws where the proof holds for all that, or is refused without a word. */
export function changeEach(text: string, key: string, stride = 1): void {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder();
  const again = repeated(text);
  for (let at = 0; at < bytes.length; at += stride) {
    if (at % 41 !== 0 && again.some(([from, to]) => at >= from && at < to)) continue;
    // A bit that keeps the byte a letter, digit or sign; and the case of a letter.
    const changed = bytes.slice();
    changed[at] = (changed[at] ?? 0) ^ (at % 3 === 0 ? 0x20 : 1);
    const { holds, reason } = verify(decoder.decode(changed), { key });
    const place = `byte ${at} changed: ${text.slice(Math.max(0, at - 30), at + 10)}`;
    if (holds) throw new Error(`it holds with ${place}`);
    if ((reason?.length ?? 0) <= 10) throw new Error(`no word with ${place}`);
  }
}
