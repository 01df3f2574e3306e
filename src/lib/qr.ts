/**
 * QR codes after ISO/IEC 18004: bytes, error correction level M, versions 1 to 10 (at most 213 bytes), which is more than any
 * wallet address needs. The matrix is drawn in the standard's order: patterns, format, data in zigzag, the best of eight masks.
 */

/** Of level M, by version: correction bytes in each block, and the number of blocks. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const MASKS: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Rows of modules, true is dark, without the quiet zone. Throws RangeError on more than 213 bytes. */
export function qrMatrix(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = CORRECTION.findIndex((_, at) => bytes.length <= capacityOf(at + 1) - (at + 1 < 10 ? 2 : 3)) + 1;
  if (version === 0) throw new RangeError("too long for a QR code");
  const code = interleaved(dataOf(bytes, version), version);
  const drawn = MASKS.map((_, mask) => new Canvas(version).draw(code, mask));
  return drawn.reduce((best, next) => (penaltyOf(next) < penaltyOf(best) ? next : best));
}

/** All code bytes of a version: its modules less the patterns. */
function codeBytes(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const aligned = Math.floor(version / 7) + 2;
    modules -= (25 * aligned - 10) * aligned - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}
const correctionOf = (version: number) => CORRECTION[version - 1] ?? 0;
const blocksOf = (version: number) => BLOCKS[version - 1] ?? 0;
const capacityOf = (version: number) => codeBytes(version) - correctionOf(version) * blocksOf(version);

/** Mode, length, the bytes, and the padding that the standard asks for. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit--) bits.push((value >>> bit) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) push(byte, 8);
  push(0, Math.min(4, capacityOf(version) * 8 - bits.length));
  push(0, -bits.length & 7);
  const data: number[] = [];
  for (let at = 0; at < bits.length; at += 8) data.push(bits.slice(at, at + 8).reduce((byte, bit) => (byte << 1) | bit, 0));
  for (let pad = 0xec; data.length < capacityOf(version); pad ^= 0xec ^ 0x11) data.push(pad);
  return data;
}

/** Multiplication in GF(2⁸) with the polynomial 0x11d. */
function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The generator polynomial of Reed-Solomon, without its leading one. */
function generator(degree: number): number[] {
  const result = [...Array<number>(degree - 1).fill(0), 1];
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let at = 0; at < degree; at++) result[at] = times(result[at] ?? 0, root) ^ (result[at + 1] ?? 0);
    root = times(root, 2);
  }
  return result;
}

function remainder(data: number[], divisor: number[]): number[] {
  const rest = Array<number>(divisor.length).fill(0);
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    divisor.forEach((term, at) => (rest[at] = (rest[at] ?? 0) ^ times(term, factor)));
  }
  return rest;
}

/** Splits the data into blocks, corrects each, and deals their bytes out in turn. The last blocks may be one byte longer. */
function interleaved(data: number[], version: number): number[] {
  const count = blocksOf(version);
  const short = Math.floor(codeBytes(version) / count) - correctionOf(version);
  const shorts = count - (codeBytes(version) % count);
  const divisor = generator(correctionOf(version));
  const blocks: number[][] = [];
  for (let at = 0, block = 0; block < count; block++) {
    const length = short + (block < shorts ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const deal = (lists: number[][], length: number) =>
    Array.from({ length }, (_, at) => lists.flatMap((list) => (at < list.length ? [list[at] as number] : []))).flat();
  const corrections = blocks.map((block) => remainder(block, divisor));
  return [...deal(blocks, short + 1), ...deal(corrections, correctionOf(version))];
}

class Canvas {
  private readonly size: number;
  private readonly dark: boolean[][];
  /** What data must not touch. */
  private readonly taken: boolean[][];

  constructor(private readonly version: number) {
    this.size = version * 4 + 17;
    const blank = () => Array.from({ length: this.size }, () => Array<boolean>(this.size).fill(false));
    this.dark = blank();
    this.taken = blank();
  }

  draw(code: number[], mask: number): boolean[][] {
    this.patterns();
    this.format(mask);
    this.data(code, mask);
    return this.dark;
  }

  private set(x: number, y: number, dark: boolean) {
    const row = this.dark[y];
    if (!row || x < 0 || x >= this.size) return;
    row[x] = dark;
    (this.taken[y] as boolean[])[x] = true;
  }

  private patterns() {
    const { size } = this;
    for (let at = 0; at < size; at++) {
      this.set(6, at, at % 2 === 0);
      this.set(at, 6, at % 2 === 0);
    }
    for (const [x, y] of [
      [3, 3],
      [size - 4, 3],
      [3, size - 4],
    ] as const)
      this.square(x, y, 4, [2, 4]);
    const places = this.alignments();
    const last = places.length - 1;
    places.forEach((x, i) =>
      places.forEach((y, j) => {
        if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0))) this.square(x, y, 2, [1]);
      }),
    );
    if (this.version >= 7) this.versionMarks();
  }

  /** Rings about a centre, all dark but those at the `light` distances. */
  private square(x: number, y: number, reach: number, light: number[]) {
    for (let dy = -reach; dy <= reach; dy++)
      for (let dx = -reach; dx <= reach; dx++) this.set(x + dx, y + dy, !light.includes(Math.max(Math.abs(dx), Math.abs(dy))));
  }

  private alignments(): number[] {
    if (this.version === 1) return [];
    const count = Math.floor(this.version / 7) + 2;
    const step = Math.ceil((this.version * 4 + 4) / (count * 2 - 2)) * 2;
    return [6, ...Array.from({ length: count - 1 }, (_, at) => this.size - 7 - step * (count - 2 - at))];
  }

  private versionMarks() {
    let rest = this.version;
    for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (this.version << 12) | rest;
    for (let bit = 0; bit < 18; bit++) {
      const dark = ((bits >>> bit) & 1) === 1;
      const far = this.size - 11 + (bit % 3);
      const near = Math.floor(bit / 3);
      this.set(far, near, dark);
      this.set(near, far, dark);
    }
  }

  /** Level M is 00, so the format is the mask alone, with its own correction. */
  private format(mask: number) {
    let rest = mask;
    for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((mask << 10) | rest) ^ 0x5412;
    const bit = (at: number) => ((bits >>> at) & 1) === 1;
    for (let at = 0; at < 6; at++) this.set(8, at, bit(at));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let at = 9; at < 15; at++) this.set(14 - at, 8, bit(at));
    for (let at = 0; at < 8; at++) this.set(this.size - 1 - at, 8, bit(at));
    for (let at = 8; at < 15; at++) this.set(8, this.size - 15 + at, bit(at));
    this.set(8, this.size - 8, true);
  }

  private data(code: number[], mask: number) {
    const flips = MASKS[mask] as (x: number, y: number) => boolean;
    let at = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (this.taken[y]?.[x]) continue;
          const bit = at < code.length * 8 && (((code[at >>> 3] as number) >>> (7 - (at & 7))) & 1) === 1;
          (this.dark[y] as boolean[])[x] = bit !== flips(x, y);
          at++;
        }
      }
    }
  }
}

/** What makes a code hard to read: long runs, blocks, what looks like a finder, and too much of one tone. */
function penaltyOf(rows: boolean[][]): number {
  const columns = rows.map((_, x) => rows.map((row) => row[x] as boolean));
  let penalty = 0;
  for (const line of [...rows, ...columns]) {
    const text = line.map((dark) => (dark ? "1" : "0")).join("");
    for (const [run] of text.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    for (const finder of ["00001011101", "10111010000"]) penalty += 40 * (text.split(finder).length - 1);
  }
  for (let y = 1; y < rows.length; y++)
    for (let x = 1; x < rows.length; x++) {
      const dark = rows[y]?.[x];
      if (dark === rows[y - 1]?.[x] && dark === rows[y]?.[x - 1] && dark === rows[y - 1]?.[x - 1]) penalty += 3;
    }
  const share = rows.flat().filter(Boolean).length / rows.length ** 2;
  return penalty + Math.floor(Math.abs(share - 0.5) * 20) * 10;
}
