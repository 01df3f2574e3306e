import { expect, test } from "bun:test";
import { qrMatrix } from "./qr";

/** Two codes made by another encoder (unjs/uqr 0.1.3), rows in hexadecimal. */
const KNOWN: [text: string, rows: string][] = [
  [
    "TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE",
    "1fc9e77f 104af141 175aa15d 1755625d 1756315d 10550d41 1fd5557f 1f5600 17cf017c 1418e535 ceff10a 148eb54b 1adf6a99 18b03d77 3fa3898 e8d4320 1673381e 1a22f1b0 16e3e9a4 138cb35a 11f74df4 103314 1fca215c 105f431b 175021f6 17555d27 17567ef2 104742fa 1fd66ab0",
  ],
  [
    "k3".repeat(90),
    "1fc19457fa9c7f 104864ec046e41 1751f0415e125d 1756288ea5e55d 1751727ffa9c5d 105910d1047c41 1fd5555555557f 13d5715c1100 17c4d4bfa7e97c c322e57fa96a5 6c93ccc057b4e 63ec1713c10e1 df0d4ae87e95f c212e577a96a5 ec03ecc957b4e 42dc1713810c1 196406ae87e97f 911de577296a7 cd4b98c9d7b5c 14913a713850c1 26c9a2e87e97e 1e994bd77216a3 6d71d8c9dfb5c 139f9e71387489 7fe003f87c9f6 11d9cf1721f13 f5585959de35c 171fb8513a7519 ffd503f85cbf6 10dbcfe721e73 e5e81819ce12c 16938c7e5a76da d545629a5c984 208b4f7f21e73 115243810ce32c 119d4d7e5e76d9 57c4529a5c986 400c7f7fa1e71 f4eb6c104e32e 181c87e5e36d9 db38a9a5c9a7 12be0877fa9e55 1bd6aac104632e c1c887e5e12c1 27115bfa5e9ff 178571fa9715 1fc683b5047b5e 105d5c515c1111 1751859fa7ebff 1755e9a9fa97a5 175caf4705785f 104344813c1322 1fde877e87e9cc",
  ],
];

const hex = (rows: boolean[][]) => rows.map((row) => BigInt(`0b${row.map(Number).join("")}`).toString(16)).join(" ");

for (const [text, rows] of KNOWN)
  test(`${text.length} bytes are drawn as another encoder draws them`, () => {
    expect(hex(qrMatrix(text))).toBe(rows);
  });

test("grows with the text up to its bound, by bytes and not by characters", () => {
  expect(qrMatrix("x".repeat(14))).toHaveLength(21);
  expect(qrMatrix("x".repeat(15))).toHaveLength(25);
  expect(qrMatrix("é".repeat(7))).toHaveLength(21);
  expect(qrMatrix("x".repeat(213))).toHaveLength(57);
  expect(() => qrMatrix("x".repeat(214))).toThrow(RangeError);
});
