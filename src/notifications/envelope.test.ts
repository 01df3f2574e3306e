import { describe, expect, test } from "bun:test";
import { decoded, encoded, newServerKeys, proofFor, sealed } from "./envelope";

/** RFC 8291, section 5 and appendix A. */
const RFC = {
  plaintext: "When I grow up, I want to be a watermelon",
  serverPublic: "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
  serverPrivate: "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw",
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  salt: "DGv6ra1nlYgDCS1FRnbzlw",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
  body: "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
};

test("a message is sealed as the standard's example shows", async () => {
  const point = decoded(RFC.serverPublic);
  const jwk = { kty: "EC", crv: "P-256", x: encoded(point.slice(1, 33)), y: encoded(point.slice(33)), ext: true };
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const pair = {
    publicKey: await crypto.subtle.importKey("jwk", jwk, curve, true, []),
    privateKey: await crypto.subtle.importKey("jwk", { ...jwk, d: RFC.serverPrivate }, curve, true, ["deriveBits"]),
  };
  const body = await sealed(new TextEncoder().encode(RFC.plaintext), RFC, { pair, salt: decoded(RFC.salt) });
  expect(encoded(body)).toBe(RFC.body);
});

describe("what can't be sealed is refused", () => {
  test("a message that is too long", () => expect(sealed(new Uint8Array(3_001), RFC)).rejects.toThrow(RangeError));
  test("keys that are no point of the curve", () => expect(sealed(new Uint8Array(1), { ...RFC, p256dh: encoded(new Uint8Array(65)) })).rejects.toThrow());
});

test("the proof is signed by the server's key for this service alone, for half a day", async () => {
  const keys = await newServerKeys();
  const now = Date.UTC(2026, 0, 1);
  const header = await proofFor("https://push.example/abc?d=1", "mailto:ops@broker.test", keys, now);
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header) ?? [];
  expect(key).toBe(keys.publicKey);
  const [head = "", claims = "", signature = ""] = token.split(".");
  const read = (part: string) => JSON.parse(new TextDecoder().decode(decoded(part))) as unknown;
  expect(read(head)).toEqual({ typ: "JWT", alg: "ES256" });
  expect(read(claims)).toEqual({ aud: "https://push.example", exp: now / 1000 + 43_200, sub: "mailto:ops@broker.test" });
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const verifier = await crypto.subtle.importKey("raw", decoded(keys.publicKey), algorithm, false, ["verify"]);
  expect(await crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, verifier, decoded(signature), new TextEncoder().encode(`${head}.${claims}`))).toBe(
    true,
  );
});
