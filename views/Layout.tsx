import type { ReactNode } from "react";
import { Button, ButtonLink } from "./ui/Button";
import { classes } from "./ui/classes";
import { Icon } from "./ui/Icon";
import { PageIcon } from "./ui/PageIcon";
import { Menu, MenuLink } from "./ui/Menu";
import { ThemeToggle } from "./ui/ThemeToggle";
import { Wordmark } from "./ui/Wordmark";

export type Chrome = {
  brand: string;
  /** The address of the house's own logo; null: the program's mark. */
  logo: string | null;
  /** The path of this page, marked in the navigation. */
  path: string;
  /** The signed-in person; null for a visitor. */
  me: { firstName: string; email: string; role: "user" | "admin" } | null;
  /** Shows the 'Demonstration' notice. */
  demonstration: boolean;
  simulated: boolean;
  /** The operator's licence text, shown only in live mode. */
  licence: string | null;
  /** Trading screens use the whole width. */
  wide: boolean;
  /** Per cent of live accounts that have lost money; null where too few clients have traded. */
  losingShare: number | null;
  /** The version of the terms that the reader has still to accept; null: none. */
  termsDue: number | null;
  /** What the reader's country asks for in the place of the site's own risk warning. */
  warning: string | null;
};

type Link = { href: string; label: string };
const SIGNED_OUT: Link[] = [
  { href: "/", label: "Home" },
  { href: "/about", label: "About" },
  { href: "/trading-assets", label: "Trading assets" },
  { href: "/faq", label: "FAQ" },
  { href: "/contact", label: "Contact" },
];
const SIGNED_IN: Link[] = [
  { href: "/dashboard", label: "Dashboard" },
  { href: "/traders-portal", label: "Traders Portal" },
  { href: "/deposit", label: "Deposit" },
  { href: "/trading", label: "Trading" },
  { href: "/accounts", label: "Accounts" },
  { href: "/about", label: "About" },
  { href: "/contact", label: "Contact" },
];
const STAFF: Link = { href: "/admin", label: "Control Panel" };
/** Where a page belongs; all of the back office belongs to its panel. */
const isAt = (href: string, path: string): boolean => href === path || (href === STAFF.href && /^\/(admin|enhanced-admin)\b/.test(path));
const linksFor = (me: Chrome["me"]): Link[] => (me ? (me.role === "admin" ? [...SIGNED_IN, STAFF] : SIGNED_IN) : SIGNED_OUT);
/** What everybody may read, at the foot of each page. */
const INFORMATION: Link[] = [...SIGNED_OUT.slice(1), { href: "/integrity", label: "Integrity" }, { href: "/verify", label: "Verify a proof" }];
const DOCUMENTS: Link[] = [
  { href: "/terms", label: "Terms of service" },
  { href: "/privacy", label: "Privacy policy" },
  { href: "/payment-policy", label: "Payment policy" },
];

/** What a page puts in the place of the site's notice and header. */
export type OwnHeader = (chrome: Chrome) => ReactNode;

/** The frame of every page: notice, header, the page itself, footer, and the region where toasts appear. */
export function Layout({ chrome, header, children }: { chrome: Chrome; header?: OwnHeader | undefined; children: ReactNode }) {
  return (
    <>
      <a href="#main" className="fixed -top-24 left-4 z-50 rounded-control bg-accent px-4 py-2 text-on-accent focus:top-4">
        Skip to content
      </a>
      {header ? (
        header(chrome)
      ) : (
        <>
          {chrome.demonstration ? <DemonstrationNotice simulated={chrome.simulated} /> : null}
          <Header chrome={chrome} />
          {chrome.termsDue === null ? null : <ChangedTerms version={chrome.termsDue} path={chrome.path} />}
        </>
      )}
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer chrome={chrome} />
      <section
        id="toasts"
        aria-label="Notifications (F8)"
        tabIndex={-1}
        className="fixed inset-x-4 bottom-4 z-50 outline-none empty:hidden md:left-auto md:w-96"
      />
    </>
  );
}

export const demonstrationText = (simulated: boolean) => `${simulated ? "Prices are simulated and no" : "No"} real money is held or traded here.`;

function DemonstrationNotice({ simulated }: { simulated: boolean }) {
  return (
    <aside aria-label="Demonstration" className="bg-warn-soft px-4 py-1.5 text-center text-note text-ink">
      <strong className="font-semibold">Demonstration.</strong> {demonstrationText(simulated)}
    </aside>
  );
}

/** Stands until the reader has accepted; it holds up nothing. */
const ChangedTerms = ({ version, path }: { version: number; path: string }) => (
  <aside aria-label="Changed terms" className="border-b border-line bg-sunken">
    <form
      method="post"
      action="/accept-terms"
      className="mx-auto flex max-w-[70rem] flex-wrap items-center justify-center gap-x-4 gap-y-1 px-4 py-1.5 text-table"
    >
      <input type="hidden" name="version" value={version} />
      <input type="hidden" name="returnTo" value={path} />
      <span>
        The terms of service have changed.{" "}
        <a href="/terms" className="text-accent underline underline-offset-2">
          Read them
        </a>
      </span>
      <Button type="submit" variant="secondary" size="small">
        Accept
      </Button>
    </form>
  </aside>
);

const width = (wide: boolean) => (wide ? "mx-auto w-full px-4 md:px-6" : "mx-auto w-full max-w-[70rem] px-4 md:px-6");

function Header({ chrome }: { chrome: Chrome }) {
  const { me, brand, path } = chrome;
  const links = linksFor(me);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/94 backdrop-blur-sm">
      <div className={classes(width(chrome.wide || me !== null), "flex min-h-16 flex-wrap items-center gap-x-2")}>
        <a href="/" className="mr-4 inline-flex min-h-11 items-center rounded-control text-ink no-underline" aria-label={`${brand}, home`}>
          <Wordmark brand={brand} logo={chrome.logo} />
        </a>
        <nav aria-label="Main" className={classes("hidden flex-wrap items-center", me ? "xl:flex" : "lg:flex")}>
          {links.map(({ href, label }) => (
            <a
              key={href}
              href={href}
              aria-current={isAt(href, path) ? "page" : undefined}
              className={classes("nav-link", me ? "px-2 2xl:px-3" : "px-3", isAt(href, path) ? "font-semibold text-ink" : "text-soft")}
            >
              {label}
            </a>
          ))}
          <Menu label="Documents">
            {DOCUMENTS.map(({ href, label }) => (
              <MenuLink key={href} href={href} current={href === path}>
                {label}
              </MenuLink>
            ))}
          </Menu>
        </nav>
        <div className="ml-auto flex flex-wrap items-center justify-end gap-1">
          {me ? <SupportLink /> : null}
          <ThemeToggle />
          {me ? <PersonMenu me={me} /> : <VisitorActions />}
          <SmallScreenMenu links={links} path={path} me={me} />
        </div>
      </div>
    </header>
  );
}

/** The way to support; `islands/scripts/unread` puts the number of what was not read yet on it. */
const SupportLink = () => (
  <a
    href="/support"
    data-unread=""
    aria-label="Support"
    className="relative inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
  >
    <Icon name="lifebuoy" />
    <span hidden className="absolute right-0.5 top-0.5 min-w-5 rounded-full bg-accent px-1.5 text-center text-note font-semibold tabular-nums text-on-accent" />
  </a>
);

function PersonMenu({ me }: { me: NonNullable<Chrome["me"]> }) {
  return (
    <Menu
      align="right"
      className="max-lg:hidden"
      label={
        <>
          <Icon name="person" className="size-5" />
          Welcome, {me.firstName || "Trader"}
        </>
      }
    >
      <p className="truncate px-3 py-2 text-table text-soft">{me.email}</p>
      <Profile />
      <PriceAlerts />
      <TwoFactor />
      <SignOut />
    </Menu>
  );
}

const Profile = () => (
  <MenuLink href="/profile">
    <Icon name="person" className="size-5 text-soft" />
    Profile
  </MenuLink>
);

const PriceAlerts = () => (
  <MenuLink href="/alerts">
    <Icon name="bell" className="size-5 text-soft" />
    Price alerts
  </MenuLink>
);

const TwoFactor = () => (
  <MenuLink href="/two-factor">
    <Icon name="shield" className="size-5 text-soft" />
    Two-factor sign-in
  </MenuLink>
);

const SignOut = () => (
  <MenuLink href="/api/auth/logout">
    <PageIcon name="signOut" className="size-5 text-soft" />
    Sign out
  </MenuLink>
);

function VisitorActions() {
  return (
    <>
      <a href="/login" className="hidden min-h-11 items-center rounded-control px-3 text-product text-ink no-underline hover:text-accent sm:inline-flex">
        Sign In
      </a>
      <ButtonLink href="/register" className="max-sm:hidden">
        Open an account
      </ButtonLink>
    </>
  );
}

/** The slide-out menu of small screens, without a script. */
function SmallScreenMenu({ links, path, me }: { links: Link[]; path: string; me: Chrome["me"] }) {
  return (
    <details data-menu="" className={me ? "xl:hidden" : "lg:hidden"}>
      <summary aria-label="Menu" className="inline-flex size-11 items-center justify-center rounded-control text-ink">
        <Icon name="menu" className="size-6" />
      </summary>
      <nav
        aria-label="Menu"
        className="slide-out absolute right-0 top-full h-[calc(100dvh-4rem)] w-80 max-w-full overflow-y-auto border-l border-line bg-paper p-2 pb-16 shadow-raised"
      >
        {me ? <p className="truncate px-3 pb-2 pt-3 text-product font-semibold">Welcome, {me.firstName || "Trader"}</p> : null}
        {links.map(({ href, label }) => (
          <MenuLink key={href} href={href} current={isAt(href, path)}>
            {label}
          </MenuLink>
        ))}
        <p className="px-3 pb-1 pt-4 text-note text-soft">Documents</p>
        {DOCUMENTS.map(({ href, label }) => (
          <MenuLink key={href} href={href} current={href === path}>
            {label}
          </MenuLink>
        ))}
        <div className="mt-2 border-t border-line pt-2">
          {me ? (
            <>
              <Profile />
              <PriceAlerts />
              <TwoFactor />
              <SignOut />
            </>
          ) : (
            <div className="grid grid-cols-2 gap-2 p-2">
              <ButtonLink href="/login" variant="secondary">
                Sign In
              </ButtonLink>
              <ButtonLink href="/register">Register</ButtonLink>
            </div>
          )}
        </div>
      </nav>
    </details>
  );
}

function Footer({ chrome }: { chrome: Chrome }) {
  return (
    <footer className="far mt-16 border-t border-line bg-sunken text-table text-soft md:mt-24">
      <div className={classes(width(chrome.wide), "grid gap-x-16 gap-y-10 py-12 lg:grid-cols-[auto_minmax(0,1fr)]")}>
        <div className="flex flex-wrap gap-x-16 gap-y-8">
          <span className="w-full text-ink sm:w-auto">
            <Wordmark brand={chrome.brand} logo={chrome.logo} />
          </span>
          <nav aria-label="Footer" className="flex flex-wrap gap-x-16">
            <FooterLinks links={INFORMATION} />
            <FooterLinks links={DOCUMENTS} />
          </nav>
        </div>
        <RiskWarning losingShare={chrome.losingShare} warning={chrome.warning} />
      </div>
      {chrome.licence ? <p className={classes(width(chrome.wide), "pb-8")}>{chrome.licence}</p> : null}
    </footer>
  );
}

const FooterLinks = ({ links }: { links: Link[] }) => (
  <ul>
    {links.map(({ href, label }) => (
      <li key={href}>
        <a href={href} className="foot-link">
          {label}
        </a>
      </li>
    ))}
  </ul>
);

const RISKS =
  "Trading foreign exchange and cryptocurrencies on margin carries a high level of risk and is not suitable for everyone. Leverage works against you as well as for you: a small move of the price can cost you more than you expect, up to everything in your trading account. Prices can gap, and a stop then fills at the next price. Trade only with money that you can afford to lose, and try it in a demo account first.";

/** Stands on every page with trading on it: in the footer, so that none can forget it. */
function RiskWarning({ losingShare, warning }: { losingShare: number | null; warning: string | null }) {
  return (
    <section aria-label="Risk warning" className="max-w-[44rem] lg:ml-auto">
      <h2 className="mb-2 font-semibold text-ink">Risk warning</h2>
      {losingShare === null ? null : <p className="mb-2 font-medium text-ink">{losingShare}% of the live accounts that have traded here have lost money.</p>}
      <p className="whitespace-pre-line">{warning ?? RISKS}</p>
    </section>
  );
}
