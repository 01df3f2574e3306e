import Verify from "../../islands/proof/Verify";

type Props = {
  /** The log's key, and those before it; none while there is no log yet. */
  logKeys: string[];
  /** Whether whoever reads it is signed in, and may ask for the prices between. */
  signedIn: boolean;
};

/** Checks a proof in the browser. Once it has come nothing more of it is asked from a server, but what a press asks for. */
export const VerifyPage = ({ logKeys: [logKey, ...former], signedIn }: Props) => (
  <div className="mx-auto grid w-full max-w-[48rem] grid-cols-1 gap-y-8 px-4 py-10 md:px-6 md:py-16">
    <header>
      <h1 className="text-balance font-serif text-display">Verify a proof</h1>
      <p className="mt-5 text-[1.1875rem] leading-7 text-soft">
        A proof shows that a fill, a statement or what you are owed is in the public log, and that its figures follow from each other. It is checked here, in
        your browser: nothing of it leaves this page, and you may go offline now.
      </p>
    </header>
    <Verify logKeys={logKey === undefined ? [] : [logKey, ...former]} signedIn={signedIn} />
    <noscript>
      <p className="rounded-card border border-line bg-surface p-4">
        This page checks by a script of its own. Without scripts, use <code>halyard prove FILE --key KEY</code> or any verifier of the description that comes
        with the program.
      </p>
    </noscript>
    <section aria-labelledby="log-key">
      <h2 id="log-key" className="text-heading font-semibold">
        The log’s key
      </h2>
      {logKey === undefined ? (
        <p className="mt-2 text-soft">The log has not begun yet. Please come back in a minute.</p>
      ) : (
        <p className="mt-2">
          <code className="break-all text-table">{logKey}</code>
        </p>
      )}
      <p className="mt-2 text-soft">
        Compare it with what the program’s operator, a letter or a friend shows you: a page that is not ours would show a key of its own. What none of this
        proves is said at{" "}
        <a href="/integrity#limits" className="text-accent underline underline-offset-2">
          Integrity
        </a>
        .
      </p>
      {former.length > 0 ? (
        <>
          <p className="mt-4">Earlier keys, which signed what was kept before:</p>
          <ul className="mt-2 flex flex-col gap-2">
            {former.map((key) => (
              <li key={key}>
                <code className="break-all text-table">{key}</code>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  </div>
);
