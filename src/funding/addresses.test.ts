import { expect, test } from "bun:test";
import { canonical, checksummed, networksOf } from "./addresses";
import { keccak256 } from "./keccak";
import type { Coin, Network } from "./schema";

// Examples of BIP 173, BIP 350, EIP-55, the genesis block, and contracts that are published.
const good: [Coin, string, Network[]][] = [
  ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", ["Mainnet"]],
  ["BTC", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", ["Mainnet"]],
  ["BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", ["Mainnet"]],
  ["BTC", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", ["Mainnet"]],
  ["BTC", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", ["Mainnet"]],
  ["BTC", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", ["BEP-20"]],
  ["LTC", "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9", ["Mainnet"]],
  ["LTC", "ltc1qg42tkwuuxefutzxezdkdel39gfstuap288mfea", ["Mainnet"]],
  ["ETH", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359", ["ERC-20", "Mainnet", "BEP-20"]],
  ["ETH", "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359", ["ERC-20", "Mainnet", "BEP-20"]],
  ["USDT", "0xdAC17F958D2ee523a2206206994597C13D831ec7", ["ERC-20", "BEP-20"]],
  ["USDT", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", ["TRC-20"]],
];
test.each(good)("%s may be sent to %s", (coin, address, networks) => expect(networksOf(coin, address)).toEqual(networks));

const bad: [Coin, string][] = [
  ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb"],
  ["BTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfN0"],
  ["BTC", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5"],
  ["BTC", "bc1qW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4"],
  // Version 1 with the checksum of version 0, and the reverse (BIP 350).
  ["BTC", "bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4"],
  ["BTC", "bc1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq54wq7x"],
  ["BTC", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx"],
  ["BTC", "LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9"],
  ["BTC", ""],
  ["BTC", "bc1"],
  ["LTC", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa"],
  ["ETH", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35"],
  ["ETH", "0xFb6916095ca1df60bB79Ce92cE3Ea74c37c5d359"],
  ["ETH", "fb6916095ca1df60bb79ce92ce3ea74c37c5d359"],
  ["ETH", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
  ["USDT", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"],
  ["USDT", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
];
test.each(bad)("%s may not be sent to '%s'", (coin, address) => expect(networksOf(coin, address)).toEqual([]));

test("one address is written one way", () => {
  expect(canonical("0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359")).toBe("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359");
  expect(canonical("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4")).toBe("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
  expect(canonical("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa")).toBe("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa");
  expect(checksummed("0xD1220A0CF47C7B9BE7A2E6BA89F429762E7B9ADB")).toBe("0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb");
});

test("Keccak-256 is Ethereum's", () => {
  expect(keccak256(new Uint8Array())).toBe("c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
  expect(keccak256(Buffer.from("transfer(address,uint256)")).slice(0, 8)).toBe("a9059cbb");
});
