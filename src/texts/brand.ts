import { brandCss } from "../../views/brand_colours";
import { MINUTE } from "../lib/time";
import type { AppContext } from "../platform/app_context";
import { firstBrand } from "../platform/page/brand";
import { KeptPage } from "../platform/page/kept_page";
import { iconFiles } from "./pictures";
import { brandVersions, pictureOf } from "./queries_brand";
import type { BrandNow } from "./schema_brand";

/** What is in force, for staff. */
export async function brandNow({ sql, config }: Pick<AppContext, "sql" | "config">): Promise<BrandNow> {
  const [newest] = await brandVersions(sql, 1);
  if (!newest) return { version: 0, name: config.brandName, sender: "", accentLight: null, accentDark: null, logo: null, icon: null };
  const { version, name, sender, accentLight, accentDark, logo, icon } = newest;
  return { version, name, sender, accentLight, accentDark, logo, icon };
}

/** Reads the brand into the program, and drops the pages that were drawn with the one before. */
export async function takeBrand(app: AppContext): Promise<void> {
  const now = await brandNow(app);
  if (now.version === app.brand.version) return;
  const icon = now.icon === null ? null : await iconOf(app, now.version);
  const own = firstBrand(app.config);
  app.brand = {
    version: now.version,
    name: now.name,
    sender: now.sender || own.sender || now.name,
    accents: { accentLight: now.accentLight, accentDark: now.accentDark },
    css: brandCss(now),
    logo: now.logo,
    files: icon ? await iconFiles(icon) : own.files,
  };
  KeptPage.dropAll();
}
const iconOf = ({ sql }: AppContext, version: number) => pictureOf(sql, "icon", version);

/** Keeps the brand as it is set, by whichever program. Returns the way to stop. */
export async function watchBrand(app: AppContext): Promise<() => void> {
  await takeBrand(app);
  const again = () => void takeBrand(app).catch((error: unknown) => app.log.warn("the brand could not be looked up, will try again", { error }));
  const unsubscribe = [app.bus.subscribe("brand", again), app.bus.subscribe("renewed", again)];
  const timer = setInterval(again, MINUTE);
  return () => {
    clearInterval(timer);
    for (const stop of unsubscribe) stop();
  };
}
