import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ArchiveStore, openArchiveStore } from "./archive_store";

/** Both kinds of store keep the same promises; the bucket is one of the test's own, which speaks as much of S3 as is asked. */

const folder = mkdtempSync("/tmp/halyard-store-");
const objects = new Map<string, Uint8Array>();
const PAGE = 2;
const bucket = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url);
    const key = decodeURIComponent(pathname.replace(/^\/bucket\/?/, ""));
    if (!/AWS4-HMAC-SHA256 Credential=key\//.test(request.headers.get("authorization") ?? "")) return new Response(null, { status: 403 });
    if (request.method === "PUT") {
      objects.set(key, new Uint8Array(await request.arrayBuffer()));
      return new Response(null, { headers: { ETag: '"1"' } });
    }
    if (request.method === "DELETE") {
      objects.delete(key);
      return new Response(null, { status: 204 });
    }
    if (key === "") return listed(searchParams.get("prefix") ?? "", searchParams.get("continuation-token") ?? "");
    const found = objects.get(key);
    if (!found) return new Response(request.method === "HEAD" ? null : "<Error><Code>NoSuchKey</Code><Message>none</Message></Error>", { status: 404 });
    return new Response(request.method === "HEAD" ? null : (found as Uint8Array<ArrayBuffer>), {
      headers: { ETag: '"1"', "Content-Length": String(found.length) },
    });
  },
});
function listed(prefix: string, after: string): Response {
  const names = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
  const page = names.slice(0, PAGE);
  const more = names.length > PAGE;
  const contents = page.map((name) => `<Contents><Key>${name}</Key><Size>1</Size></Contents>`).join("");
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return new Response(`<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents}</ListBucketResult>`, {
    headers: { "Content-Type": "application/xml" },
  });
}
const s3 = { endpoint: `http://127.0.0.1:${bucket.port}`, accessKeyId: "key", secretAccessKey: "secret", region: "eu" };
afterAll(async () => {
  await bucket.stop(true);
  rmSync(folder, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);
const stores: [string, () => ArchiveStore][] = [
  ["a folder", () => openArchiveStore(pathToFileURL(join(folder, "archive")).href)],
  ["a bucket", () => openArchiveStore("s3://bucket/some/prefix", s3)],
];
for (const [name, open] of stores)
  describe(name, () => {
    test("keeps what was added first, lists it below its folder, and forgets what is removed", async () => {
      const store = open();
      expect(await store.list("wal")).toEqual([]);
      expect(await store.read("wal/1")).toBeNull();
      for (const n of [3, 1, 2]) expect(await store.add(`wal/${n}`, bytes(`segment ${n}`))).toBe(true);
      expect(await store.add("base/a/0001", bytes("part"))).toBe(true);
      expect(await store.add("wal/1", bytes("another"))).toBe(false);
      expect(Buffer.from((await store.read("wal/1")) ?? []).toString()).toBe("segment 1");
      expect(await store.list("wal")).toEqual(["wal/1", "wal/2", "wal/3"]);
      await store.replace("writer.json", bytes("1"));
      await store.replace("writer.json", bytes("2"));
      expect(Buffer.from((await store.read("writer.json")) ?? []).toString()).toBe("2");
      for (const each of ["wal/1", "wal/2", "wal/3", "wal/none", "base/a/0001"]) await store.remove(each);
      expect([await store.list("wal"), await store.list("base")]).toEqual([[], []]);
    });

    test("of many who add one name at once lets one win", async () => {
      const store = open();
      const won = await Promise.all(Array.from({ length: name === "a folder" ? 20 : 1 }, (_, n) => store.add("wal/race", bytes(`${n}`))));
      expect(won.filter(Boolean)).toHaveLength(1);
    });
  });

test("a folder leaves no half of an object behind, and says why it takes none", async () => {
  expect(readdirSync(join(folder, "archive"), { recursive: true }).filter((name) => String(name).endsWith(".part"))).toEqual([]);
  writeFileSync(join(folder, "file"), "");
  await expect(openArchiveStore(pathToFileURL(join(folder, "file")).href).add("wal/1", bytes("x"))).rejects.toThrow("ENOTDIR");
});
