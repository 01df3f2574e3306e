/** Keccak-256 as Ethereum uses it (padding 0x01, unlike SHA3-256), after the Keccak reference, version 3.0. For addresses: short and seldom. */

const MASK = (1n << 64n) - 1n;
const RATE = 136;
const ROUNDS = 24;

/** The round constants, from the reference's linear feedback shift register. */
const CONSTANTS = roundConstants();
/** Rotation of each lane, x + 5y. */
const ROTATIONS = [0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14].map(BigInt);

function roundConstants(): bigint[] {
  let state = 1;
  const bit = () => {
    const out = state & 1;
    state = (state << 1) ^ (state & 0x80 ? 0x171 : 0);
    return out;
  };
  return Array.from({ length: ROUNDS }, () => {
    let constant = 0n;
    for (let j = 0; j <= 6; j++) if (bit()) constant |= 1n << ((1n << BigInt(j)) - 1n);
    return constant;
  });
}

const rotate = (lane: bigint, by: bigint) => ((lane << by) | (lane >> (64n - by))) & MASK;
const lane = (state: readonly bigint[], index: number) => state[index] ?? 0n;

function permute(start: readonly bigint[]): bigint[] {
  let state = [...start];
  for (const constant of CONSTANTS) {
    const columns = Array.from({ length: 5 }, (_, x) => lane(state, x) ^ lane(state, x + 5) ^ lane(state, x + 10) ^ lane(state, x + 15) ^ lane(state, x + 20));
    const mixed = state.map((value, i) => value ^ lane(columns, (i + 4) % 5) ^ rotate(lane(columns, (i + 1) % 5), 1n));
    const moved = Array<bigint>(25).fill(0n);
    for (let x = 0; x < 5; x++) for (let y = 0; y < 5; y++) moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(lane(mixed, x + 5 * y), ROTATIONS[x + 5 * y] ?? 0n);
    state = moved.map((value, i) => {
      const row = i - (i % 5);
      return value ^ (~lane(moved, row + ((i + 1) % 5)) & MASK & lane(moved, row + ((i + 2) % 5)));
    });
    state[0] = lane(state, 0) ^ constant;
  }
  return state;
}

/** The digest in hexadecimal. */
export function keccak256(message: Uint8Array): string {
  const padded = new Uint8Array(Math.floor(message.length / RATE + 1) * RATE);
  padded.set(message);
  padded[message.length] = 0x01;
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80;
  const words = new DataView(padded.buffer);
  let state = Array<bigint>(25).fill(0n);
  for (let block = 0; block < padded.length; block += RATE)
    state = permute(state.map((value, i) => (i < RATE / 8 ? value ^ words.getBigUint64(block + 8 * i, true) : value)));
  const digest = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 4; i++) digest.setBigUint64(8 * i, lane(state, i), true);
  return Buffer.from(digest.buffer).toString("hex");
}
