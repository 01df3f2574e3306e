import { expect, test } from "bun:test";
import { usedIn, rulesFor } from "./page_style";

const SHEET = `@property --used{syntax:"*";inherits:false;}@property --unused{syntax:"*";inherits:false;}
:root{--base: 1px; --derived: var(--base); --dead: 2px; --dead-derived: var(--dead);}
*,::before{margin:0;}
.a{width:var(--derived);border-color:var(--used);}
.b:hover,.c{color:red;}
.lg\\:cols-\\[minmax\\(0\\,1fr\\)_2fr\\],.d{top:0;}
.p-0\\.5{padding:1px;}
.\\32 xl{order:2;}
.group:hover .child{left:0;}
.e:not(.f){right:0;}
dialog::backdrop,textarea{color:blue;}
ul li>a:not(b):hover{color:green;}
::placeholder{opacity:1;}
@media (min-width:1px){.a{height:0;}.g{height:1px;}}
@media (min-width:2px){.g{height:2px;}}
@supports (x:y){*{--base:3px;--dead:4px;}}
@keyframes turn{0%{opacity:1}100%{opacity:0}}`.replace(/\n/g, "");
const rules = (html: string) => rulesFor(SHEET, usedIn(html));

test("keeps the rules of the page's classes, and those that need none", () => {
  const css = rules(`<p class="a x">`);
  expect(css).toContain("*,::before{margin:0;}");
  expect(css).toContain(".a{width");
  expect(css).toContain("@media (min-width:1px){.a{height:0;}}");
  expect(css).toContain("@keyframes turn{0%{opacity:1}100%{opacity:0}}");
  for (const gone of [".b:hover", ".p-0", ".g{", "min-width:2px", ".group"]) expect(css).not.toContain(gone);
});

test("reads classes however they are written", () => {
  expect(rules(`<p class="lg:cols-[minmax(0,1fr)_2fr]">`)).toContain("top:0");
  expect(rules(`<p class="p-0.5">`)).toContain("padding:1px");
  expect(rules(`<p class="2xl">`)).toContain("order:2");
  expect(rules(`<p class="c">`)).toContain("color:red");
  expect(rules(`<p class="e">`)).toContain("right:0");
  expect(usedIn(`<p class="[&amp;[hidden]]:hidden">`)).toContain("[&[hidden]]:hidden");
});

test("a rule that needs two classes needs both", () => {
  expect(rules(`<p class="group">`)).not.toContain(".child");
  expect(rules(`<p class="group"><b class="child">`)).toContain(".child");
});

test("a rule of elements needs them, and one of a field's parts a field", () => {
  const css = rules(`<ul><li><a>`);
  expect(css).toContain("ul li>a:not(b):hover");
  expect(rules("<ul><li>")).not.toContain("ul li");
  for (const gone of ["dialog", "placeholder"]) expect(css).not.toContain(gone);
  expect(rules("<textarea>")).toContain("dialog::backdrop,textarea{color:blue;}");
  expect(rules("<textarea>")).toContain("::placeholder{opacity:1;}");
});

test("leaves out what is set and never read, and what only that reads", () => {
  const css = rules(`<p class="a">`);
  expect(css).toContain("--base: 1px; --derived: var(--base);");
  expect(css).toContain("@property --used");
  for (const gone of ["--dead", "--unused"]) expect(css).not.toContain(gone);
  expect(rules("<p>")).not.toContain("--");
});
