import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { PageIcon } from "../ui/PageIcon";
import { Notice } from "../ui/States";
import { PageHead } from "./PageHead";

const CLEARED: { name: string; text: string }[] = [
  { name: "Local and session storage", text: "your choice of theme, hints you closed, drafts" },
  { name: "Cookies", text: "all that a script can reach" },
  { name: "Indexed databases", text: "if this site ever made one in your browser" },
  { name: "Caches and service workers", text: "the offline page and the files of the installed app" },
];

/** Wipes what this site left in the browser. What cannot be reached from a page is said, and ended on the server instead. */
export function ClearHistoryPage({ signedIn }: { signedIn: boolean }) {
  return (
    <>
      <PageHead title="Clear history" lead="Remove what this site keeps in your browser, on a shared device or when a page behaves strangely." />
      <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-x-20 gap-y-12 px-4 md:px-6 lg:grid-cols-2">
        <section aria-labelledby="cleared-title">
          <h2 id="cleared-title" className="font-serif text-title">
            What is cleared
          </h2>
          <ul className="mt-5 border-t border-line">
            {CLEARED.map(({ name, text }) => (
              <li key={name} className="flex gap-4 border-b border-line py-4">
                <PageIcon name="trash" className="mt-0.5 size-5 text-accent" />
                <span>
                  <span className="font-medium">{name}</span>
                  <span className="block text-[0.9375rem] leading-6 text-soft">{text}</span>
                </span>
              </li>
            ))}
          </ul>
          <p className="mt-5 max-w-prose text-[0.9375rem] leading-6 text-soft">
            Your account, trades and messages are on our server and stay there. Only this browser and this site are concerned.
          </p>
        </section>
        <section aria-labelledby="choose-title" data-clear="" className="flex flex-col gap-10">
          <h2 id="choose-title" className="sr-only">
            Choose what to clear
          </h2>
          <div className="js-only">
            <h3 className="text-heading font-semibold">Quick clear</h3>
            <p className="mb-5 mt-2 max-w-prose text-soft">Clears all of this at once and loads the page again. You stay signed in.</p>
            <Button size="large" data-clear-quick="">
              <Icon name="refresh" />
              Quick Clear &amp; Reload
            </Button>
          </div>
          <div className="js-only">
            <h3 className="text-heading font-semibold">Clear everything</h3>
            <p className="mb-5 mt-2 max-w-prose text-soft">
              The same, after you confirm it, and you are signed out too. The cookie that keeps you signed in is out of the reach of scripts, so we ask the
              server to end the session.
            </p>
            <Button size="large" variant="danger" data-clear-all="">
              <PageIcon name="trash" />
              Clear All
            </Button>
          </div>
          <p role="status" data-clear-status="" className="js-only text-product text-soft empty:hidden" />
          <noscript>
            <Notice title="Scripts are off in this browser">
              So there is nothing that this site could have stored but cookies. Your browser's settings clear them, under privacy.
            </Notice>
          </noscript>
          {signedIn ? (
            <form method="post" action="/sign-out">
              <Button type="submit" variant="secondary">
                <PageIcon name="signOut" />
                Only sign out
              </Button>
            </form>
          ) : null}
        </section>
      </div>
    </>
  );
}
