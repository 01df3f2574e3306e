import { keccak256 } from "./keccak";
import type { Coin, Network } from "./schema";

/** Whether an address can belong to a chain: form and checksum. Whether somebody holds its key no program can know. */

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest();

/** The payload of a Base58Check address without its four bytes of checksum; null where it is none. */
function base58Check(address: string): Uint8Array | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{25,36}$/.test(address)) return null;
  let value = 0n;
  for (const letter of address) value = value * 58n + BigInt(BASE58.indexOf(letter));
  const zeros = /^1*/.exec(address)?.[0].length ?? 0;
  const hex = value.toString(16);
  const bytes = Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, "hex")]);
  const payload = bytes.subarray(0, -4);
  return bytes.length === 25 && sha256(sha256(payload)).subarray(0, 4).equals(bytes.subarray(-4)) ? payload : null;
}
const isBase58 = (address: string, versions: readonly number[]) => versions.includes(base58Check(address)?.[0] ?? -1);

const GENERATORS = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
function polymod(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    GENERATORS.forEach((generator, i) => {
      if ((top >>> i) & 1) sum ^= generator;
    });
  }
  return sum;
}

/** A segwit address of this prefix: BIP 173 for version 0, BIP 350 for the later ones. */
function isSegwit(address: string, prefix: string): boolean {
  if (address !== address.toLowerCase() && address !== address.toUpperCase()) return false;
  const text = address.toLowerCase();
  if (!text.startsWith(`${prefix}1`) || text.length > 90) return false;
  const data = [...text.slice(prefix.length + 1)].map((letter) => BECH32.indexOf(letter));
  if (data.length < 8 || data.includes(-1)) return false;
  const letters = [...prefix].map((letter) => letter.charCodeAt(0));
  const checksum = polymod([...letters.map((code) => code >> 5), 0, ...letters.map((code) => code & 31), ...data]);
  const [version = 99] = data;
  const bits = (data.length - 7) * 5;
  const program = Math.floor(bits / 8);
  if (bits % 8 > 4 || (Number(data.at(-7)) & ((1 << (bits % 8)) - 1)) !== 0) return false;
  if (version === 0) return checksum === 1 && (program === 20 || program === 32);
  return version <= 16 && checksum === 0x2bc830a3 && program >= 2 && program <= 40;
}

/** EIP-55: the case of each letter follows from the hash of the address in lower case. */
export function checksummed(address: string): string {
  const plain = address.slice(2).toLowerCase();
  const hash = keccak256(Buffer.from(plain, "ascii"));
  return `0x${[...plain].map((letter, i) => (Number.parseInt(hash[i] ?? "0", 16) >= 8 ? letter.toUpperCase() : letter)).join("")}`;
}
const isEthereum = (address: string) =>
  /^0x[0-9a-fA-F]{40}$/.test(address) && (address.slice(2) === address.slice(2).toLowerCase() || address === checksummed(address));

const isBitcoin = (address: string) => isBase58(address, [0x00, 0x05]) || isSegwit(address, "bc");
const isLitecoin = (address: string) => isBase58(address, [0x30, 0x32, 0x05]) || isSegwit(address, "ltc");
const isTron = (address: string) => isBase58(address, [0x41]);

/** The networks on which this can be an address for the coin. */
export function networksOf(coin: Coin, address: string): Network[] {
  if (isEthereum(address)) return coin === "ETH" ? ["ERC-20", "Mainnet", "BEP-20"] : coin === "USDT" ? ["ERC-20", "BEP-20"] : ["BEP-20"];
  if (isTron(address)) return coin === "USDT" ? ["TRC-20"] : [];
  if (coin === "BTC" && isBitcoin(address)) return ["Mainnet"];
  return coin === "LTC" && isLitecoin(address) ? ["Mainnet"] : [];
}

/** One way of writing each address, so that the same one is not listed twice. */
export const canonical = (address: string) => (isEthereum(address) ? checksummed(address) : /^(bc|ltc)1/i.test(address) ? address.toLowerCase() : address);
