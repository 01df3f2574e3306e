import { notFound } from "../lib/refusal";
import { errorResponse } from "../platform/http/answer";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import { pictureOf } from "../texts/queries_brand";

const TYPES = { logo: "image/webp", icon: "image/png" } as const;
const NAME = /^(logo|icon)-(\d{1,9})\.(webp|png)$/;

/** The house's pictures, each version under an address of its own that browsers keep for ever. */
export const brandRoutes = (app: AppContext): Routes =>
  new Routes(app, import.meta.path).file("/brand/:file", async (_, { file = "" }) => {
    const [, kind, version] = NAME.exec(file) ?? [];
    const picture = kind ? await pictureOf(app.sql, kind as keyof typeof TYPES, Number(version)) : null;
    if (!picture) return errorResponse(notFound(), new Headers({ "Cache-Control": "no-store" }));
    return new Response(picture, { headers: { "Content-Type": TYPES[kind as keyof typeof TYPES], "Cache-Control": "public, max-age=31536000, immutable" } });
  });
