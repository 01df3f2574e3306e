import { describe, expect, test } from "bun:test";
import { readConfig } from "../../config";
import { clientOf, networkOf } from "./request_context";

const from = (headers: Record<string, string>, url = "http://halyard.test/") => new Request(url, { headers });
const proxies = (...trusted: string[]) => readConfig({ TRUSTED_PROXY: trusted.join(",") }).trustedProxy;
const ipOf = (peer: string, forwarded: string | null, trusted: string[]) =>
  clientOf(from(forwarded === null ? {} : { "x-forwarded-for": forwarded }), peer, proxies(...trusted)).ip;

describe("the client's address", () => {
  test.each<[string, string, string | null, string[], string]>([
    ["is the peer's", "203.0.113.9", null, [], "203.0.113.9"],
    ["is the peer's, whatever a stranger claims", "203.0.113.9", "198.51.100.1", [], "203.0.113.9"],
    ["is the peer's, where another is trusted", "203.0.113.9", "198.51.100.1", ["10.0.0.0/8"], "203.0.113.9"],
    ["is the mapped IPv4 one in plain", "::ffff:203.0.113.9", null, [], "203.0.113.9"],
    ["is what a trusted proxy saw", "10.1.2.3", "198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"],
    ["is what a trusted proxy saw, mapped", "::ffff:10.1.2.3", "::ffff:198.51.100.1", ["10.0.0.0/8"], "198.51.100.1"],
    ["is the last that no proxy vouches for", "10.0.0.1", "6.6.6.6, 198.51.100.1, 10.0.0.2", ["10.0.0.0/8"], "198.51.100.1"],
    ["is not what the client wrote before it", "10.0.0.1", "127.0.0.1, 198.51.100.1", ["10.0.0.1"], "198.51.100.1"],
    ["is the first proxy's where all are ours", "10.0.0.1", "10.0.0.3, 10.0.0.2", ["10.0.0.0/8"], "10.0.0.3"],
    ["is IPv6", "fd00::1", "2001:db8::7", ["fd00::/8"], "2001:db8::7"],
    ["is IPv6, not within the range", "fe00::1", "2001:db8::7", ["fd00::/8"], "fe00::1"],
    ["is IPv6 by one address in another spelling", "0:0:0:0:0:0:0:1", "2001:db8::7", ["::1"], "2001:db8::7"],
    ["is the proxy's where it names none", "10.0.0.1", "<script>alert(1)</script>", ["10.0.0.0/8"], "10.0.0.1"],
    ["is the proxy's where it names none but words", "10.0.0.1", "unknown", ["10.0.0.0/8"], "10.0.0.1"],
    ["is the last real one before nonsense", "10.0.0.1", "evil\t, 10.0.0.2", ["10.0.0.0/8"], "10.0.0.2"],
    ["is the proxy's where the list is empty", "10.0.0.1", "", ["10.0.0.0/8"], "10.0.0.1"],
    ["is within a range that ends between bytes", "172.31.255.255", "198.51.100.1", ["172.16.0.0/12"], "198.51.100.1"],
    ["is outside a range that ends between bytes", "172.32.0.0", "198.51.100.1", ["172.16.0.0/12"], "172.32.0.0"],
    ["is anyone's where all the world is trusted", "203.0.113.9", "198.51.100.1", ["0.0.0.0/0"], "198.51.100.1"],
    ["is never a number that is no address", "999.1.1.1", "198.51.100.1", ["0.0.0.0/0"], "999.1.1.1"],
  ])("%s", (_, peer, forwarded, trusted, ip) => {
    expect(ipOf(peer, forwarded, trusted)).toBe(ip);
  });
});

describe("the scheme", () => {
  const secure = (headers: Record<string, string>, peer: string) => clientOf(from(headers), peer, proxies("10.0.0.0/8")).secure;
  test("is what a trusted proxy says, and nobody else", () => {
    expect(secure({ "x-forwarded-proto": "https" }, "10.0.0.1")).toBe(true);
    expect(secure({ "x-forwarded-proto": "https, http" }, "10.0.0.1")).toBe(true);
    expect(secure({ "x-forwarded-proto": "http" }, "10.0.0.1")).toBe(false);
    expect(secure({ "x-forwarded-proto": "https" }, "203.0.113.9")).toBe(false);
    expect(secure({}, "10.0.0.1")).toBe(false);
  });
  test("is the connection's own", () => {
    expect(clientOf(from({}, "https://halyard.test/"), "203.0.113.9", proxies()).secure).toBe(true);
  });
});

test("an IPv6 customer is one network, an IPv4 address is itself", () => {
  expect(networkOf("203.0.113.7")).toBe("203.0.113.7");
  for (const same of ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff"]) expect(networkOf(same)).toBe("2001:db8:1:2::/64");
  expect(networkOf("2001:db8:1:3::1")).not.toBe(networkOf("2001:db8:1:2::1"));
  expect(networkOf("::1")).toBe("0:0:0:0::/64");
});
