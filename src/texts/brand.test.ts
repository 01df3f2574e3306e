import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accentFault, accentTokens, brandCss } from "../../views/brand_colours";
import { contrast } from "../../views/contrast";
import { palette } from "../../views/palette";
import { senderOf } from "../mail/compose";
import { type TestApp, testApp } from "../testing/app";
import { counted } from "../testing/money";
import { withoutGuard } from "../testing/scenarios";
import type { BrandNow, BrandVersion } from "./schema_brand";

/** The house's name, colours and pictures: on every page and letter, each version kept, and no colour that can't be read. */

let app: TestApp;
let admin: Awaited<ReturnType<TestApp["admin"]>>;
beforeAll(async () => {
  app = await testApp({ SMTP_URL: "smtp://127.0.0.1:1", MAIL_FROM: "post@halyard.example", PUBLIC_URL: "https://trade.example" });
  admin = await app.admin();
});
afterAll(async () => {
  expect(await app.faults()).toEqual([]);
  await app.end();
});

type Refused = { fields?: Record<string, string> };
const now = async () => (await admin.get<BrandNow>("/api/admin/brand")).body;
const change = async (body: object, version?: number) =>
  admin.patch<BrandNow & Refused>("/api/admin/brand", { reason: "A test", version: version ?? (await now()).version, ...body });
const picture = (width: number, height: number, as: "png" | "jpeg" = "png") => {
  // A bitmap of one colour, as BMP, drawn to size.
  const bmp = Buffer.alloc(58);
  bmp.write("BM");
  bmp.writeUInt32LE(58, 2);
  bmp.writeUInt32LE(54, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(1, 18);
  bmp.writeInt32LE(1, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(24, 28);
  bmp.writeUInt32LE(4, 34);
  const image = new Bun.Image(bmp).resize(width, height);
  return as === "png" ? image.png().bytes() : image.jpeg().bytes();
};
async function send(kind: string, file: Uint8Array, type = "image/png", by = admin) {
  const { version } = await now();
  const response = await by.fetch("POST", `/api/admin/brand/pictures?kind=${kind}&version=${version}&reason=A+test`, {
    headers: { "content-type": type },
    raw: file as unknown as string,
  });
  return { status: response.status, body: (await response.json()) as BrandNow & Refused };
}
const page = async (path = "/faq") => app.stranger().get(path);

describe("a brand", () => {
  test("is the settings' and the program's own before anybody sets one", async () => {
    expect(await now()).toEqual({ version: 0, name: "Halyard", sender: "", accentLight: null, accentDark: null, logo: null, icon: null });
    expect((await page()).text).toContain("Halyard, home");
  });

  test("is on every page at once, also on those that were kept, in the app's manifest and in letters; each version is kept", async () => {
    const before = await page();
    expect((await page()).headers.get("etag")).toBe(before.headers.get("etag"));
    const { status, body } = await change({ name: "Nordlys", sender: "Nordlys Bank", accentLight: "#7A1FA2" });
    expect([status, body]).toMatchObject([200, { version: 1, name: "Nordlys", sender: "Nordlys Bank", accentLight: "#7a1fa2", accentDark: null }]);
    const after = await page();
    expect(after.text).toContain("Nordlys, home");
    expect(after.text).not.toContain("Halyard, home");
    expect(after.text).toContain("--c-accent:#7a1fa2");
    // The policy names the rules that it lets stand in the page, and the page has no others.
    const rules = [...(/<style>([^]*?)<\/style>/.exec(after.text) ?? [])][1] ?? "";
    const hash = new Bun.CryptoHasher("sha256").update(rules).digest("base64");
    expect(after.headers.get("content-security-policy")).toContain(`'sha256-${hash}'`);
    const signedIn = await admin.get("/admin?tab=settings&view=brand");
    const [, colours = ""] = /<style>([^]*?)<\/style>/.exec(signedIn.text) ?? [];
    expect(colours).toBe(brandCss({ accentLight: "#7a1fa2", accentDark: null }));
    expect(signedIn.headers.get("content-security-policy")).toContain(new Bun.CryptoHasher("sha256").update(colours).digest("base64"));
    expect((await app.stranger().get<{ name: string }>("/manifest.webmanifest")).text).toContain('"name":"Nordlys"');
    expect(senderOf(app.context)).toEqual({ name: "Nordlys Bank", address: "post@halyard.example" });
    const versions = (await admin.get<BrandVersion[]>("/api/admin/brand/versions")).body;
    expect(versions.map(({ version, name, reason }) => `${version} ${name} ${reason}`)).toEqual(["1 Nordlys A test"]);
    const [line] = await app.sql`select action, reason, details from admin_actions order by id desc limit 1`;
    expect(line).toMatchObject({ action: "brand.put", reason: "A test", details: { version: 1 } });
    await expect(app.sql`update brand_versions set name = 'x'`).rejects.toThrow();
  });

  test("is refused with its field where it can't be read, by day and by night, or is no colour or name", async () => {
    for (const [body, field] of [
      [{ accentLight: "#ffcc00" }, "accentLight"],
      [{ accentDark: "#222266" }, "accentDark"],
      [{ accentLight: "red" }, "accentLight"],
      [{ accentLight: "#7a1fa2;} body{display:none" }, "accentLight"],
      [{ name: " " }, "name"],
      [{ name: "x".repeat(41) }, "name"],
      [{ sender: "Bank\r\nBcc: all@t.test" }, "sender"],
      [{ reason: "" }, "reason"],
    ] as const)
      expect([field, (await change(body)).body.fields]).toEqual([field, { [field]: expect.any(String) }]);
    expect((await change({ accentLight: "#ffcc00" })).body.fields?.accentLight).toBe(
      "Choose another colour: by day this has a contrast of 1.4 on the page; 4.5 is needed.",
    );
    expect((await (await app.trader()).patch("/api/admin/brand", { name: "Mine", version: 1, reason: "x" })).status).toBe(403);
  });

  test("has pictures that are drawn anew, under an address of each version; an icon takes the place of all that show the site", async () => {
    const logo = await send("logo", await picture(960, 240, "jpeg"), "image/jpeg");
    expect([logo.status, logo.body.logo]).toEqual([200, "/brand/logo-2.webp"]);
    const served = await app.stranger().fetch("GET", "/brand/logo-2.webp");
    const drawn = new Bun.Image(await served.bytes());
    expect([served.headers.get("content-type"), await drawn.metadata()]).toEqual(["image/webp", { width: 336, height: 84, format: "webp" }]);
    expect((await page()).text).toContain('src="/brand/logo-2.webp"');
    const icon = await send("icon", await picture(600, 600));
    expect(icon.body).toMatchObject({ version: 3, icon: "/brand/icon-3.png", logo: "/brand/logo-3.webp" });
    const sizes = await Promise.all(
      ["icon-192.png", "icon-512.png", "apple-touch-icon.png"].map(async (name) => {
        const { width, format } = await new Bun.Image(await (await app.stranger().fetch("GET", `/${name}`)).bytes()).metadata();
        return `${width} ${format}`;
      }),
    );
    expect(sizes).toEqual(["192 png", "512 png", "180 png"]);
    expect((await app.stranger().fetch("GET", "/favicon.ico")).headers.get("content-type")).toBe("image/x-icon");
    const back = await change({ icon: null });
    expect(back.body).toMatchObject({ version: 4, icon: null, logo: "/brand/logo-4.webp" });
    expect((await app.stranger().get("/favicon.svg")).text).not.toContain("data:image/png");
    expect((await app.stranger().fetch("GET", "/brand/icon-3.png")).status).toBe(200);
    for (const name of ["icon-4.png", "icon-99.png", "logo-1.webp", "x.png"])
      expect([name, (await app.stranger().fetch("GET", `/brand/${name}`)).status]).toEqual([name, 404]);
  });

  test("takes no file that is no picture, too large a one, no icon that is no square, and none by whoever may not", async () => {
    const { version } = await now();
    const refused = async (kind: string, file: Uint8Array, type?: string) => {
      const { status, body } = await send(kind, file, type);
      expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ["file"]]);
    };
    await refused("logo", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'));
    await refused("logo", Buffer.from("MZ not a picture at all"));
    await refused("icon", await picture(300, 200));
    await refused("icon", await picture(100, 100));
    const huge = Buffer.from(await picture(8, 8));
    huge.writeUInt32BE(10_001, 16);
    huge.writeUInt32BE(10_001, 20);
    await refused("logo", huge);
    expect((await send("logo", await picture(8, 8), "image/svg+xml")).status).toBe(415);
    expect((await send("logo", await picture(8, 8), "image/png", await app.trader())).status).toBe(403);
    expect((await now()).version).toBe(version);
  });

  test("is changed by one of those who looked at the same version", async () => {
    const { version } = await now();
    const round = (seen: number) => Promise.all(Array.from({ length: 10 }, (_, number) => change({ name: `Raced ${number}` }, seen)));
    expect(counted(await round(version))).toEqual({ 200: 1, 409: 9 });
    const putBack = await withoutGuard(app.sql, "brand_put", "coalesce(before.version, 0) <> seen", "false");
    expect(counted(await round(version + 1))).not.toMatchObject({ 409: 9 });
    await putBack();
  });
});

test("an accent's own tokens can be read in both themes, for every accent that is taken", () => {
  let taken = 0;
  for (let colour = 0; colour < 0x1000000; colour += 40_503) {
    const accent = `#${colour.toString(16).padStart(6, "0")}`;
    for (const mode of ["light", "dark"] as const) {
      if (accentFault(accent, mode) !== null) continue;
      taken++;
      const own = accentTokens(accent, mode);
      for (const ground of [palette[mode].paper, palette[mode].surface, palette[mode].sunken, own["accent-soft"]])
        expect(contrast(accent, ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(own["on-accent"], accent)).toBeGreaterThanOrEqual(4.5);
    }
  }
  expect(taken).toBeGreaterThan(20);
});
