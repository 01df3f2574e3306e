import type { AppContext } from "../app_context";

type Shown = { title: string; structured?: object[] };

/**
 * What a shared or found page says of itself. Addresses are whole only where the operator names the site's own (`PUBLIC_URL`):
 * a kept page answers everyone, so it never repeats the host that one visitor happened to ask.
 */
export function sharedHead({ config, brand: { name } }: AppContext, path: string, { title, structured = [] }: Shown) {
  const at = (to: string) => (config.publicUrl ?? "") + to;
  return {
    canonical: config.publicUrl ? at(path) : null,
    card: at("/card.png"),
    structured: [...(path === "/" ? [organisation(name, at)] : [breadcrumbs(name, title, path, at)]), ...structured],
  };
}

const CONTEXT = "https://schema.org";
type At = (path: string) => string;

const organisation = (name: string, at: At) => ({
  "@context": CONTEXT,
  "@type": "Organization",
  name,
  url: at("/"),
  logo: at("/icon-512.png"),
});

const breadcrumbs = (name: string, title: string, path: string, at: At) => ({
  "@context": CONTEXT,
  "@type": "BreadcrumbList",
  itemListElement: [
    { "@type": "ListItem", position: 1, name, item: at("/") },
    { "@type": "ListItem", position: 2, name: title, item: at(path) },
  ],
});
