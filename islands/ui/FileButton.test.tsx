import { afterEach, beforeEach, expect, test } from "bun:test";
import { openDom, type TestDom } from "../../src/testing/dom";
import { FileButton } from "./FileButton";

let dom: TestDom;
let sent: string[];
beforeEach(async () => {
  dom = await openDom();
  sent = [];
  await dom.draw(<FileButton id="file" label="Upload" busy="Uploading..." className="" send={async ({ name }) => void sent.push(name)} />);
});
afterEach(() => dom.close());

/** Chooses a file as a person would. */
const choose = (file: { name: string; type: string; size: number }) =>
  dom.act(async () => {
    const input = dom.find<HTMLInputElement>("#file");
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    input.dispatchEvent(new dom.window.Event("change", { bubbles: true }) as unknown as Event);
  });

test("what could not be taken is told before it travels, with what can", async () => {
  await choose({ name: "page.html", type: "text/html", size: 10 });
  expect(dom.toast()).toBe("Upload FailedOnly PNG, JPEG, WebP and PDF files can be sent.");
  await choose({ name: "film.png", type: "image/png", size: 20_000_000 });
  expect(dom.toast()).toBe("Upload FailedThe file may have at most 5 MB.");
  expect(sent).toEqual([]);
  await choose({ name: "proof.pdf", type: "application/pdf", size: 10 });
  expect(sent).toEqual(["proof.pdf"]);
});
