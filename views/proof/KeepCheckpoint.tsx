import { Panel } from "../ui/Card";

const LINK = "inline-flex min-h-11 items-center text-accent underline underline-offset-2";

/** On the profile: the way to keep what later shows that nothing was changed. */
export const KeepCheckpoint = () => (
  <Panel title="Proofs">
    <p className="text-soft">
      Each receipt, statement, and what you are owed can be taken away as a proof. With a checkpoint of the public log that you keep, a later proof also shows
      that nothing was changed since: its second line says how many records the log had.
    </p>
    <p className="mt-1 flex flex-wrap gap-x-6">
      <a href="/log/checkpoint" download="checkpoint.txt" className={LINK}>
        Keep today’s checkpoint
      </a>
      <a href="/integrity/mine" className={LINK}>
        What you are owed
      </a>
      <a href="/verify" className={LINK}>
        Verify a proof
      </a>
    </p>
  </Panel>
);
