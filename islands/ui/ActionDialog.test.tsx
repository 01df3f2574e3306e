import { afterEach, beforeEach, expect, test } from "bun:test";
import { type ReactNode, useState } from "react";
import * as v from "valibot";
import { openDom, type TestDom } from "../../src/testing/dom";
import { Field } from "../../views/ui/Field";
import { ApiError } from "../wire/api";
import { ActionDialog } from "./ActionDialog";

/** What is refused is said in the dialog, at its field or, where the form has none, in a notice of its own. */

const schema = v.object({
  name: v.pipe(v.string(), v.minLength(1, "A name is required")),
  version: v.pipe(v.string("A version is required"), v.transform(Number), v.integer("version must be a whole number")),
  state: v.pipe(v.string(), v.minLength(1, "Choose a state")),
});

let dom: TestDom;
let refusal: Record<string, string> | null;
const sent: unknown[] = [];
beforeEach(async () => {
  dom = await openDom();
  refusal = null;
  sent.length = 0;
});
afterEach(() => dom.close());

function Dialog({ version, more }: { version: string; more?: (messages: Record<string, string>) => ReactNode }) {
  const [open, setOpen] = useState(true);
  if (!open) return null;
  return (
    <ActionDialog
      id="it"
      title="Change it"
      consequence="It is changed."
      schema={schema}
      names={["name", "version", "state"]}
      mends
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={version} />
          <Field id="it-name" name="name" label="Name" error={messages.name ?? messages["name.0"]} />
          {more?.(messages)}
        </>
      )}
      submit="Change"
      busy="Changing..."
      send={async (value) => {
        sent.push(value);
        if (refusal) throw new ApiError(400, Object.values(refusal)[0] ?? "Refused.", "invalid", refusal);
      }}
      onClose={() => setOpen(false)}
    />
  );
}
const State = (messages: Record<string, string>) => <Field id="it-state" name="state" label="State" error={messages.state} />;
const notice = () => document.querySelector<HTMLElement>("[data-unsaid]");
const focused = () => (document.activeElement === notice() ? "the notice" : document.activeElement?.id);
const change = async () => {
  await dom.press(dom.find("#it button[type=submit]"));
  // The answer comes later than the press.
  await dom.act(async () => {});
};
const lines = () => [...(notice()?.querySelectorAll("li") ?? [])].map(({ textContent }) => textContent);

test("a field that the form lacks is told in a notice, and the focus goes there", async () => {
  await dom.draw(<Dialog version="x" />);
  await dom.type("#it-name", "A name");
  await change();
  expect(sent).toEqual([]);
  expect(lines()).toEqual(["Version: version must be a whole number", "State: Choose a state"]);
  expect(focused()).toBe("the notice");
});

test("a field that the form shows is told there alone, where the focus then is; what it lacks stays said", async () => {
  await dom.draw(<Dialog version="x" more={State} />);
  await change();
  expect(dom.find("#it-name-error").textContent).toBe("A name is required");
  expect(lines()).toEqual(["Version: version must be a whole number"]);
  expect(focused()).toBe("it-name");
  expect(document.body.textContent?.split("A name is required").length).toBe(2);
});

test("what the server refuses is held to the same, a part of a field with its field", async () => {
  await dom.draw(<Dialog version="1" more={State} />);
  await dom.type("#it-name", "A name");
  await dom.type("#it-state", "new");
  refusal = { "name.0": "Not this name", "name.1": "Nor that one", "legs.1.spreadPips": "Too wide", mustAccept: "Say yes or no", "3.Step": "No step" };
  await change();
  expect(sent).toEqual([{ name: "A name", version: 1, state: "new" }]);
  expect(lines()).toEqual(["Legs 2, spread pips: Too wide", "Must accept: Say yes or no", "Row 3, step: No step"]);
  expect(focused()).toBe("it-name");
  refusal = { mustAccept: "Say yes or no" };
  await change();
  expect(focused()).toBe("the notice");
  // Another try that is let through says nothing any more.
  refusal = null;
  await change();
  expect(document.querySelector("#it")).toBeNull();
});

test("the compiler refuses names that lack what the schema asks for", () => {
  const form = { schema, consequence: "", id: "it", title: "", fields: () => null, submit: "", busy: "", send: async () => {}, onClose: () => {} };
  // @ts-expect-error `state` is asked for, and the form never sends it.
  void (<ActionDialog {...form} names={["name", "version"]} />);
  // @ts-expect-error Names that are not written out could lack anything.
  void (<ActionDialog {...form} names={["name", "version", "state"] as string[]} />);
  void (<ActionDialog {...form} names={["name", "version", "state", "more"]} />);
});
