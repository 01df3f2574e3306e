import type { AppContext } from "../platform/app_context";
import { Routes, type Route } from "../platform/http/routes";

/** The questions and answers of a page, for search engines. */
export const faqPage = (categories: readonly { questions: readonly { question: string; answer: string }[] }[]) => ({
  "@context": "https://schema.org",
  "@type": "FAQPage",
  mainEntity: categories.flatMap(({ questions }) =>
    questions.map(({ question, answer }) => ({ "@type": "Question", name: question, acceptedAnswer: { "@type": "Answer", text: answer } })),
  ),
});

/** What crawlers ask for first. `open` lists the program's routes and answers as they do. */
export type Open = { list: readonly Route[]; ask: (request: Request) => Response | Promise<Response> };

/** robots.txt and sitemap.xml. Their addresses are the operator's own (`PUBLIC_URL`), else those that the request came to. */
export function foundRoutes(app: AppContext, open: () => Open): Routes {
  const origin = (request: Request) => app.config.publicUrl ?? new URL(request.url).origin;
  let paths: Promise<string[]> | null = null;
  const found = () => {
    paths ??= publicPaths(open()).catch((error: unknown) => {
      paths = null;
      throw error;
    });
    return paths;
  };
  return new Routes(app, import.meta.path)
    .file("/robots.txt", (request) => text("text/plain", `User-agent: *\nDisallow: /api/\n\nSitemap: ${origin(request)}/sitemap.xml\n`))
    .page("/sitemap.xml", async ({ context }) => text("application/xml", sitemap(origin(context.request), await found())));
}

/** Every page open to strangers, except `noindex` ones. Each open route is tried once, so there is no list to keep. */
async function publicPaths({ list, ask }: Open): Promise<string[]> {
  const pages = list.filter(({ kind, lock, path }) => kind === "page" && lock === "open" && !/^\/api\/|[:.]/.test(path));
  const shown: string[] = [];
  for (const { path } of pages) {
    const answer = await ask(new Request(`http://localhost${path}`));
    await answer.body?.cancel();
    if (answer.status === 200 && !answer.headers.has("X-Robots-Tag")) shown.push(path);
  }
  return shown;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (address: string) => address.replace(/[&<>]/g, (character) => ENTITIES[character] as string);

const sitemap = (origin: string, paths: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${paths
    .map((path) => `<url><loc>${escaped(origin + path)}</loc></url>\n`)
    .join("")}</urlset>\n`;

const text = (type: string, body: string) => new Response(body, { headers: { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-cache" } });
