import { invalidField } from "../lib/refusal";
import type { PictureKind } from "./schema_brand";

/** The house's pictures: whatever was sent is decoded and drawn anew, so that nothing of a file but its picture is served. */

/** Pixels of a picture that is taken. */
const MOST_PIXELS = 4096 * 4096;
/** A logo stands in lines of 28 px, on screens of up to three pixels for one; an icon is drawn smaller from this size. */
const LOGO = { width: 480, height: 84 };
const ICON = 512;
const LEAST_ICON = 192;

/** A picture as it is kept: a logo as WebP, an icon as PNG. Refuses (invalid) what is no picture, too large, or no square for an icon. */
export async function drawnAnew(kind: PictureKind, file: Uint8Array): Promise<Uint8Array> {
  const picture = () => new Bun.Image(file as Uint8Array<ArrayBuffer>, { maxPixels: MOST_PIXELS });
  const refused = (why: string) => invalidField("file", why);
  const size = await picture()
    .metadata()
    .catch(() => {
      throw refused("Send a picture as PNG, JPEG or WebP, of at most 4,096 by 4,096 pixels.");
    });
  if (kind === "icon" && (size.width !== size.height || size.width < LEAST_ICON))
    throw refused(`An icon must be a square of at least ${LEAST_ICON} pixels; this is ${size.width} by ${size.height}.`);
  const drawn =
    kind === "logo"
      ? picture().resize(LOGO.width, LOGO.height, { fit: "inside", withoutEnlargement: true }).webp({ lossless: true })
      : picture().resize(ICON, ICON).png();
  return drawn.bytes().catch(() => {
    throw refused("This picture can't be read. Save it anew, and send that.");
  });
}

/** The files by which browsers and devices show the site, in the place of the program's own, by their names. */
export async function iconFiles(icon: Uint8Array): Promise<Map<string, Buffer>> {
  const at = (size: number) => new Bun.Image(icon as Uint8Array<ArrayBuffer>).resize(size, size).png().buffer();
  const [small, apple, middle, large] = await Promise.all([at(32), at(180), at(192), at(512)]);
  const framed = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 192 192"><image width="192" height="192" href="data:image/png;base64,${middle.toString("base64")}"/></svg>`,
  );
  return new Map([
    ["favicon.ico", icoOf(small, 32)],
    ["favicon.svg", framed],
    ["icon.svg", framed],
    ["apple-touch-icon.png", apple],
    ["icon-192.png", middle],
    ["icon-maskable-192.png", middle],
    ["icon-512.png", large],
    ["icon-maskable-512.png", large],
  ]);
}

/** One PNG as an icon file: ICONDIR and one ICONDIRENTRY before it. */
export function icoOf(png: Uint8Array, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
