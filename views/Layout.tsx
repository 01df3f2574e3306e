import type { ReactNode } from "react";
import { ButtonLink } from "./ui/Button";
import { classes } from "./ui/classes";
import { Icon } from "./ui/Icon";
import { Menu, MenuLink } from "./ui/Menu";
import { ThemeToggle } from "./ui/ThemeToggle";
import { Wordmark } from "./ui/Wordmark";

export type Chrome = {
  brand: string;
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
};

type Link = { href: string; label: string };
const SIGNED_OUT: Link[] = [
  { href: "/", label: "Home" },
  { href: "/#markets", label: "Markets" },
  { href: "/#how-it-works", label: "How it works" },
  { href: "/#accounts", label: "Accounts" },
];
const SIGNED_IN: Link[] = [
  { href: "/dashboard", label: "Dashboard" },
  { href: "/traders-portal", label: "Traders Portal" },
  { href: "/deposit", label: "Deposit" },
  { href: "/accounts", label: "Accounts" },
];
const STAFF: Link = { href: "/admin", label: "Control Panel" };
const linksFor = (me: Chrome["me"]): Link[] => (me ? (me.role === "admin" ? [...SIGNED_IN, STAFF] : SIGNED_IN) : SIGNED_OUT);
const DOCUMENTS: Link[] = [
  { href: "/terms", label: "Terms of service" },
  { href: "/privacy", label: "Privacy policy" },
];

/** The frame of every page: notice, header, the page itself, footer, and the region where toasts appear. */
export function Layout({ chrome, children }: { chrome: Chrome; children: ReactNode }) {
  return (
    <>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:left-4 focus:top-4 focus:z-50 focus:rounded-control focus:bg-accent focus:px-4 focus:py-2 focus:text-on-accent"
      >
        Skip to content
      </a>
      {chrome.demonstration ? <DemonstrationNotice simulated={chrome.simulated} /> : null}
      <Header chrome={chrome} />
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

function DemonstrationNotice({ simulated }: { simulated: boolean }) {
  return (
    <aside aria-label="Demonstration" className="bg-warn-soft px-4 py-1.5 text-center text-note text-ink">
      <strong className="font-semibold">Demonstration.</strong> {simulated ? "Prices are simulated and no" : "No"} real money is held or traded here.
    </aside>
  );
}

const width = (wide: boolean) => (wide ? "mx-auto w-full px-4 md:px-6" : "mx-auto w-full max-w-[70rem] px-4 md:px-6");

function Header({ chrome }: { chrome: Chrome }) {
  const { me, brand, path } = chrome;
  const links = linksFor(me);
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper/94 backdrop-blur-sm">
      <div className={classes(width(chrome.wide), "flex h-16 items-center gap-2")}>
        <a
          href={me ? "/dashboard" : "/"}
          className="mr-4 inline-flex min-h-11 items-center rounded-control text-ink no-underline"
          aria-label={`${brand}, ${me ? "dashboard" : "home"}`}
        >
          <Wordmark brand={brand} />
        </a>
        <nav aria-label="Main" className="hidden items-center lg:flex">
          {links.map(({ href, label }) => (
            <a
              key={href}
              href={href}
              aria-current={href === path ? "page" : undefined}
              className={classes(
                "inline-flex min-h-11 items-center rounded-control px-3 text-product no-underline transition-colors duration-150 hover:text-ink",
                href === path ? "font-semibold text-ink" : "text-soft",
              )}
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
        <div className="ml-auto flex items-center gap-1">
          <ThemeToggle />
          {me ? <PersonMenu me={me} /> : <VisitorActions />}
          <SmallScreenMenu links={links} path={path} signedIn={me !== null} />
        </div>
      </div>
    </header>
  );
}

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

const SignOut = () => (
  <MenuLink href="/api/auth/logout">
    <Icon name="signOut" className="size-5 text-soft" />
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
function SmallScreenMenu({ links, path, signedIn }: { links: Link[]; path: string; signedIn: boolean }) {
  return (
    <details data-menu="" className="lg:hidden">
      <summary aria-label="Menu" className="inline-flex size-11 items-center justify-center rounded-control text-ink">
        <Icon name="menu" className="size-6" />
      </summary>
      <nav aria-label="Menu" className="absolute inset-x-0 top-full border-b border-line bg-paper p-2 shadow-raised">
        {links.map(({ href, label }) => (
          <MenuLink key={href} href={href} current={href === path}>
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
          {signedIn ? (
            <>
              <Profile />
              <SignOut />
            </>
          ) : (
            <div className="grid grid-cols-2 gap-2 p-2">
              <ButtonLink href="/login" look="secondary">
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
  const links = [...(chrome.me ? SIGNED_IN : SIGNED_OUT.slice(0, 1)), ...DOCUMENTS];
  return (
    <footer className="mt-16 border-t border-line bg-sunken text-table text-soft">
      <div className={classes(width(chrome.wide), "grid gap-8 py-10 md:grid-cols-[1fr_2fr]")}>
        <div className="flex flex-col gap-4">
          <span className="text-ink">
            <Wordmark brand={chrome.brand} />
          </span>
          <nav aria-label="Footer">
            <ul className="flex flex-wrap gap-x-4 md:flex-col">
              {links.map(({ href, label }) => (
                <li key={href}>
                  <a href={href} className="inline-flex min-h-11 items-center text-ink underline-offset-4 hover:underline md:min-h-8">
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </div>
        <RiskWarning />
      </div>
      {chrome.licence ? <p className={classes(width(chrome.wide), "pb-8")}>{chrome.licence}</p> : null}
    </footer>
  );
}

/** Stands on every page with trading on it: in the footer, so that none can forget it. */
function RiskWarning() {
  return (
    <section aria-label="Risk warning" className="max-w-[44rem]">
      <h2 className="mb-2 font-semibold text-ink">Risk warning</h2>
      <p>
        Trading foreign exchange and cryptocurrencies on margin carries a high level of risk and is not suitable for everyone. Leverage works against you as
        well as for you: a small move of the price can cost you more than you expect, up to everything in your trading account. Prices can gap, and a stop then
        fills at the next price. Trade only with money that you can afford to lose, and try it in a demo account first.
      </p>
    </section>
  );
}
