import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, useState } from "react";
import type { Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { openDom, type TestDom } from "../../src/testing/dom";
import { keepTyped } from "./typed";

let dom: TestDom;
let root: Root | undefined;
const { Event } = globalThis;
beforeEach(async () => {
  dom = await openDom();
  globalThis.Event = dom.window.Event as unknown as typeof Event;
});
afterEach(async () => {
  await act(async () => root?.unmount());
  globalThis.Event = Event;
  await dom.close();
});

let drawn = 0;
/** Each field as React follows it, and a button that draws everything anew. */
function Form() {
  const [text, setText] = useState("");
  const [name, setName] = useState("Ada");
  const [pair, setPair] = useState("EUR/USD");
  const [tick, setTick] = useState(false);
  const [, again] = useState(0);
  drawn++;
  return (
    <div>
      <textarea value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      <input id="name" value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
      <select value={pair} onChange={({ currentTarget }) => setPair(currentTarget.value)}>
        <option>GBP/USD</option>
        <option>EUR/USD</option>
      </select>
      <input id="tick" type="checkbox" checked={tick} onChange={({ currentTarget }) => setTick(currentTarget.checked)} />
      <output>{JSON.stringify([text, name, pair, tick])}</output>
      <button type="button" onClick={() => again((before) => before + 1)}>
        Draw
      </button>
    </div>
  );
}

async function hydrate(write: (find: TestDom["find"]) => void): Promise<void> {
  const place = dom.window.document.body.appendChild(dom.window.document.createElement("div")) as unknown as HTMLElement;
  place.innerHTML = renderToString(<Form />);
  write(dom.find);
  const again = keepTyped(place);
  // React looks, when it is loaded, whether there is a page.
  const { hydrateRoot } = await import("react-dom/client");
  await act(async () => void (root = hydrateRoot(place, <Form />)));
  await act(async () => again());
  await dom.press(dom.button("Draw"));
}
const known = () => JSON.parse(dom.find("output").textContent ?? "null") as unknown;

test("what was written before an island was awake is known to it, and still stands there", async () => {
  await hydrate((find) => {
    find<HTMLTextAreaElement>("textarea").value = "We are.";
    find<HTMLInputElement>("#name").value = "Grace";
  });
  expect(known()).toEqual(["We are.", "Grace", "EUR/USD", false]);
  expect([dom.find<HTMLTextAreaElement>("textarea").value, dom.find<HTMLInputElement>("#name").value]).toEqual(["We are.", "Grace"]);
});

test("a choice or a tick that the browser filled in by itself is no action of the person's", async () => {
  await hydrate((find) => {
    find<HTMLSelectElement>("select").value = "GBP/USD";
    find<HTMLInputElement>("#tick").checked = true;
  });
  expect(known()).toEqual(["", "Ada", "EUR/USD", false]);
});

test("what nobody touched is left alone", async () => {
  drawn = 0;
  await hydrate(() => {});
  expect(known()).toEqual(["", "Ada", "EUR/USD", false]);
  // By the server, at the hydration, and by the button.
  expect(drawn).toBe(3);
});
