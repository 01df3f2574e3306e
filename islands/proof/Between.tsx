import { useMemo, useState } from "react";
import { strangerWords, treesAmiss } from "../../src/proof/rules_between_trees";
import { begun, gapsIn, goOn, type Progress, questionOf } from "../../src/proof/rules_verify_between";
import { ticksBetween } from "../../src/proof/schema_between";
import { Button } from "../../views/ui/Button";
import { Notice } from "../../views/ui/States";
import { ApiError, call } from "../wire/api";
import { readSite } from "./site";

type State = Progress & { state: "asking" | "done" | "missing" | "failed"; why?: string };

const OFFLINE = "The server can’t be reached: you may be offline.";

/** Of a stop or a target: whether a tick before had reached it. That is asked from the server alone, and held to the log. `keys`: those that were given. */
export function Between({ text, keys, signedIn }: { text: string; keys: string; signedIn: boolean }) {
  const question = useMemo(() => questionOf(text, keys), [text, keys]);
  const [found, setFound] = useState<State | null>(null);
  if (!question) return null;
  const name = question.exit.reason === "stop_loss" ? "stop" : "target";
  /** What is said once all of them were seen. */
  const ended = async (now: Progress): Promise<State> => {
    const amiss = await treesAmiss(question, now, readSite).catch(() => ({ isForked: false, why: OFFLINE }));
    if (amiss?.isForked) return { ...now, fault: amiss.why, state: "done" };
    return amiss ? { ...now, state: "failed", why: amiss.why } : { ...now, state: "done" };
  };
  const ask = async () => {
    let now: Progress = begun(question);
    setFound({ ...now, state: "asking" });
    try {
      for (;;) {
        const { batches, more, missing } = await call(ticksBetween, undefined, {
          query: { after: String(now.last), before: String(question.before) },
          on401: "throw",
        });
        now = goOn(question, now, batches);
        if (now.stranger !== null) return setFound({ ...now, state: "failed", why: strangerWords(now.stranger) });
        if (missing) return setFound({ ...now, state: "missing" });
        if (now.fault !== null || now.reached !== null) return setFound({ ...now, state: "done" });
        if (!more || batches.length === 0) return setFound(await ended({ ...now, gaps: gapsIn(question, now) }));
        setFound({ ...now, state: "asking" });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setFound({ ...now, state: "failed", why: error.status === 0 ? OFFLINE : error.message });
    }
  };
  return (
    <section aria-labelledby="between" className="rounded-card border border-line bg-surface p-4">
      <h2 id="between" className="text-heading font-semibold">
        Was the {name} reached before?
      </h2>
      <p className="mt-1 text-soft">
        The file shows that its tick had reached {question.bound}. That none before had is not in it: for that, every tick between is asked from the server and
        held to the log.
      </p>
      <div className="mt-3" aria-live="polite">
        {found ? <Told found={found} name={name} /> : null}
      </div>
      {signedIn ? (
        <Button variant="secondary" className="mt-3" disabled={found?.state === "asking"} onClick={() => void ask()}>
          {found?.state === "asking" ? "Checking…" : "Check the ticks between"}
        </Button>
      ) : (
        <p className="mt-3">Not checked. Sign in to have the server asked.</p>
      )}
    </section>
  );
}

const count = (n: number) => n.toLocaleString("en-US");

function Told({ found, name }: { found: State; name: string }) {
  const { state, ticks, batches, gaps, reached, fault, why } = found;
  const seen = `${count(ticks)} ticks in ${count(batches)} batches of the log`;
  if (fault !== null) return <Notice kind="error">{fault}</Notice>;
  if (reached)
    return (
      <Notice kind="error">
        Tick no. {reached.seq} at {reached.at}, bid {reached.bid}, ask {reached.ask}, had reached the {name} before.
      </Notice>
    );
  if (state === "asking") return <p role="status">So far none, among {seen}.</p>;
  if (state === "failed") return <Notice kind="warning">Not checked to the end. {why}</Notice>;
  if (state === "missing") return <Notice kind="warning">Not checked to the end: the server no longer keeps all ticks between. Among {seen} none had.</Notice>;
  return (
    <Notice kind={gaps > 0 ? "warning" : "success"}>
      None of {seen} had reached the {name} before.
      {gaps > 0
        ? ` At ${count(gaps)} ${gaps === 1 ? "place" : "places"} the numbers of ticks do not follow each other, as after a restart; that none is missing there can’t be shown.`
        : ""}
    </Notice>
  );
}
