import { afterEach, beforeEach, expect, test } from "bun:test";
import { act, useState } from "react";
import type { Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { openDom, type TestDom } from "../../src/testing/dom";
import { keepTyped } from "../runtime/typed";

let dom: TestDom;
let root: Root | undefined;
const { Event } = globalThis;
beforeEach(async () => {
  dom = await openDom();
  globalThis.Event = dom.window.Event as unknown as typeof Event;
  const { document } = dom.window;
  document.documentElement.dataset.person = "p1";
  Object.defineProperty(document, "referrer", { value: `${dom.window.location.origin}/login?returnTo=%2F`, configurable: true });
  const kept = { person: "p1", page: location.pathname + location.search, at: Date.now(), texts: [["answer", "A long answer"]] };
  sessionStorage.setItem("kept-text", JSON.stringify(kept));
});
afterEach(async () => {
  await act(async () => root?.unmount());
  globalThis.Event = Event;
  await dom.close();
});

function Answer() {
  const [text, setText] = useState("");
  const [, again] = useState(0);
  return (
    <div>
      <textarea id="answer" value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} />
      <output>{text}</output>
      <button type="button" onClick={() => again((before) => before + 1)}>
        Draw
      </button>
    </div>
  );
}

for (const moment of ["before its island wakes", "once it has begun to wake", "before it is awake", "once it is awake"] as const)
  test(`what is put back ${moment} is known to the island and stays`, async () => {
    const island = dom.window.document.body.appendChild(dom.window.document.createElement("div")) as unknown as HTMLElement;
    island.dataset.island = "Answer";
    island.innerHTML = renderToString(<Answer />);
    const { restoreText } = await import("./kept_text");
    const { hydrateRoot } = await import("react-dom/client");
    const at = (when: typeof moment) => moment === when && restoreText();
    at("before its island wakes");
    const writeTyped = keepTyped(island);
    at("once it has begun to wake");
    await act(async () => void (root = hydrateRoot(island, <Answer />)));
    await act(async () => void at("before it is awake"));
    await act(async () => {
      writeTyped();
      island.dataset.awake = "";
      island.dispatchEvent(new globalThis.Event("awake"));
    });
    await act(async () => void at("once it is awake"));
    await dom.press(dom.button("Draw"));
    expect([dom.find("output").textContent, dom.find<HTMLTextAreaElement>("#answer").value]).toEqual(["A long answer", "A long answer"]);
  });
