import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from "react";
import { LONGEST_FILE } from "../../src/proof/rules_files";
import { refused, verify, type Verdict } from "../../src/proof/rules_verify";
import { Button } from "../../views/ui/Button";
import { classes } from "../../views/ui/classes";
import { Field, TextField } from "../../views/ui/Field";
import { whenIdle } from "../runtime/idle";
import { island } from "../runtime/island";
import { Between } from "./Between";
import { askSite } from "./site";
import { Found } from "./Found";

type Props = {
  /** The log's key, and those before it; none while there is no log. */
  logKeys: string[];
  signedIn: boolean;
  /** A proof that the page has brought, checked at once. */
  first?: { text: string; name: string };
};

/** Lets the browser paint what was said before a long check begins. */
const painted = () => new Promise((resolve) => setTimeout(resolve, 30));

/** Takes a proof as a file, dropped or chosen, or as text, and says what holds. */
export function Verify({ logKeys, signedIn, first }: Props) {
  const ownKeys = logKeys.join(" ");
  const [name, setName] = useState<string | null>(first?.name ?? null);
  const [text, setText] = useState<string | null>(first?.text ?? null);
  const [verdict, setVerdict] = useState<Verdict | null>(() => (first ? verify(first.text, { key: ownKeys }) : null));
  /** Those that the verdict was found with. */
  const [keys, setKeys] = useState(ownKeys);
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const given = useRef({ key: ownKeys, old: "" });
  /** Counts what was begun: what a slower one before found out is not told of the newest. */
  const begun = useRef(0);
  const pasted = useRef<HTMLTextAreaElement>(null);

  // While a person looks for his file. Without a line the first check takes somewhat longer, and nothing else is lost.
  useEffect(
    () =>
      whenIdle(
        () =>
          void import("./warm").then(
            ({ warmUp }) => warmUp(),
            () => {},
          ),
      ),
    [],
  );

  const check = async (what: string, called: string) => {
    const own = ++begun.current;
    setBusy(true);
    setVerdict(null);
    setText(what);
    setName(called);
    await painted();
    if (own !== begun.current) return;
    const { key, old } = given.current;
    setKeys(key);
    const began = performance.now();
    const options = { key: key.trim() || null, old: old.trim() ? `${old.trim()}\n` : null };
    const said = verify(what, options);
    performance.measure("verify", { start: began });
    const whole = said.asks ? verify(what, { ...options, links: await askSite(said.asks) }) : said;
    if (own !== begun.current) return;
    setVerdict(whole);
    setBusy(false);
  };
  const take = async (file: File | undefined) => {
    if (!file) return;
    const own = ++begun.current;
    // A file that no proof can be is not read at all.
    const read = file.size > LONGEST_FILE ? " ".repeat(LONGEST_FILE + 1) : await file.text().catch(() => null);
    if (own !== begun.current) return;
    if (read !== null) return check(read, file.name);
    setText(null);
    setName(file.name);
    setVerdict(refused("This file can’t be read: it is a folder, or was moved or changed meanwhile."));
    setBusy(false);
  };
  const pick = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    await take(input.files?.[0]);
    input.value = "";
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const again = () => {
    if (text !== null && name !== null) void check(text, name);
  };

  return (
    <div className="js-only flex flex-col gap-6">
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classes("rounded-card border border-dashed p-6 text-center", over ? "border-accent bg-accent-soft" : "border-control bg-surface")}
      >
        <label
          htmlFor="proof-file"
          className="inline-flex min-h-11 cursor-pointer items-center rounded-control bg-accent px-4 font-medium text-on-accent has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-accent"
        >
          Choose a proof file
          <input id="proof-file" type="file" accept=".json,application/json" disabled={busy} onChange={(event) => void pick(event)} className="sr-only" />
        </label>
        <p className="mt-3 text-table text-soft">or drop it here. You find it on each receipt, statement, and at Integrity.</p>
      </div>
      <details>
        <summary className="inline-flex min-h-11 cursor-pointer items-center text-accent">Paste a proof, or compare with an earlier checkpoint</summary>
        <div className="mt-3 flex flex-col gap-5">
          <form
            className="flex flex-col items-start gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              void check(pasted.current?.value ?? "", "The pasted proof");
            }}
          >
            <div className="w-full">
              <label htmlFor="proof-text" className="text-product font-medium">
                The proof’s text
              </label>
              <textarea
                id="proof-text"
                ref={pasted}
                rows={4}
                spellCheck={false}
                className="field mt-1.5 border-control py-2.5 font-mono text-table hover:border-ink"
              />
            </div>
            <Button variant="secondary" disabled={busy} type="submit">
              Check the text
            </Button>
          </form>
          <TextField
            id="proof-old"
            label="An earlier checkpoint"
            hint="One that you kept, or that somebody else published: shows that the log only grew since."
            rows={4}
            spellCheck={false}
            className="font-mono text-table"
            onChange={({ currentTarget }) => void (given.current.old = currentTarget.value)}
            onBlur={again}
          />
          <Field
            id="proof-key"
            label="The log’s key"
            hint="This page’s own, until you put another in its place."
            defaultValue={ownKeys}
            spellCheck={false}
            autoComplete="off"
            className="font-mono text-table"
            onChange={({ currentTarget }) => void (given.current.key = currentTarget.value)}
            onBlur={again}
          />
        </div>
      </details>
      <div aria-live="polite">
        {busy ? <p role="status">Checking {name}…</p> : null}
        {verdict ? <Found verdict={verdict} name={name ?? ""} /> : null}
      </div>
      {verdict?.holds && text !== null ? <Between text={text} keys={keys} signedIn={signedIn} /> : null}
    </div>
  );
}

export default island("Verify", Verify);
