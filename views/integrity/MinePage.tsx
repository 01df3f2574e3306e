import Verify from "../../islands/proof/Verify";
import { EmptyState } from "../ui/States";

type Props = {
  /** The proof's file; null where there is none yet. */
  text: string | null;
  day: string | null;
  logKeys: string[];
};

/** Whether the reader is in the last tree of what is owed, with the right sum: checked in his own browser. */
export const MinePage = ({ text, day, logKeys }: Props) => (
  <div className="mx-auto flex w-full max-w-[48rem] flex-col gap-6 px-4 py-6 md:px-6">
    <div>
      <h1 className="text-title font-semibold">What you are owed</h1>
      <p className="mt-1 text-soft">
        What the ledger holds for you on live accounts: wallet, trading accounts and withdrawals that wait. Once a day it becomes a leaf of the tree whose root
        is in the public log. Compare the sum with your dashboard, and keep the file: it shows what was owed to you on that day, whatever becomes of this site.
      </p>
    </div>
    {text === null ? (
      <EmptyState icon="scale" title="You are in no tree yet">
        The next one is built soon after midnight (UTC).
      </EmptyState>
    ) : (
      <>
        <p>
          <a href={`/api/integrity/liability?day=${day}`} download className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
            Download the proof of {day}
          </a>
        </p>
        <Verify logKeys={logKeys} signedIn first={{ text, name: `What you were owed on ${day}` }} />
      </>
    )}
    <p>
      <a href="/integrity#liabilities" className="inline-flex min-h-11 items-center text-accent underline underline-offset-2">
        What is owed to all clients
      </a>
    </p>
  </div>
);
