import { expect, test } from "bun:test";
import { partyOf } from "./commands_passkey_proof";

/** Whom a passkey is for. With a browser they are tried in browser_passkeys.test.ts. */

const at = (publicUrl: string | null, asked = "http://192.0.2.1:3000/") => partyOf({ publicUrl }, new URL(asked));

test("is the host of PUBLIC_URL, whatever a request says", () => {
  expect(at("https://trade.example", "https://evil.example/")).toEqual({ id: "trade.example", origin: "https://trade.example" });
  expect(at("https://trade.example:8443")).toEqual({ id: "trade.example", origin: "https://trade.example:8443" });
  expect(at("http://localhost:3000")).toEqual({ id: "localhost", origin: "http://localhost:3000" });
});

test("is nobody on plain http elsewhere, nor under an address without a name", () => {
  for (const url of ["http://trade.example", "https://192.0.2.1", "https://[2001:db8::1]", "http://127.0.0.1:3000"]) expect(at(url)).toBeNull();
});

test("without PUBLIC_URL is this very machine under its name alone", () => {
  expect(at(null, "http://localhost:3000/login")).toEqual({ id: "localhost", origin: "http://localhost:3000" });
  for (const url of ["http://127.0.0.1:3000/", "https://evil.example/", "http://localhost.evil.example/"]) expect(at(null, url)).toBeNull();
});
