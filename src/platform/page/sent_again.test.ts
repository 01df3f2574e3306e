import { expect, test } from "bun:test";
import { sentAgain } from "./sent_again";

/** What a refused form sent stands in the form that sent it, and nowhere else. */

const form = (inside: string, path = "/a") => `<form method="post" action="${path}">${inside}</form>`;
const again = (html: string, fields: Record<string, string>) => sentAgain(html, { path: "/a", fields });

test("in fields, areas, lists and boxes, in place of what they began with", () => {
  const list = `<select name="s"><option value="">Choose</option><option selected="" value="b">B</option><option>C &amp; D</option></select>`;
  const boxes = `<input type="radio" name="r" value="1" checked=""/><input type="radio" name="r" value="2"/><input type="checkbox" name="c" checked=""/>`;
  const drawn = form(`<input name="a"/><input type="email" name="b" value="old"/><textarea name="t">old</textarea>${list}${boxes}`);
  const html = again(drawn, { a: "one", b: "", t: "two", s: "C & D", r: "2" });
  for (const part of [
    '<input name="a" value="one" />',
    '<input type="email" name="b" value=""',
    '<textarea name="t">two</textarea>',
    '<option value="b">B</option><option selected="">C &amp; D</option>',
    '<input type="radio" name="r" value="1" /><input type="radio" name="r" value="2" checked="" /><input type="checkbox" name="c" />',
  ])
    expect(html).toContain(part);
  // What a list does not offer changes nothing in it.
  expect(again(form(list), { s: "x" })).toContain('<option selected="" value="b">');
});

test("as text, whatever it looks like", () => {
  const text = `"><script>alert(1)</script>&amp;'</textarea>`;
  const html = again(form(`<input name="a"/><textarea name="t"></textarea>`), { a: text, t: `\n${text}` });
  const [input = "", area = ""] = html.split("<textarea");
  expect(input).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;&#x27;&lt;/textarea&gt;"');
  // A browser leaves out the first line end of an area.
  expect(area).toStartWith(` name="t">\n\n"&gt;&lt;script&gt;`);
  expect(html.match(/<\/textarea>|<script>/g)).toEqual(["</textarea>"]);
});

test("without what is secret, a file's, or the page's own", () => {
  const drawn = form(
    `<input type="password" name="p"/><input name="q" autocomplete="current-password"/><input name="code" autocomplete="one-time-code"/>` +
      `<input type="hidden" name="h" value="now"/><input type="file" name="f"/><input name="o" value="own" readonly=""/><input name="a"/>`,
  );
  const html = again(drawn, { p: "secret", q: "secret", code: "123456", h: "then", f: "x", o: "then", a: "1" });
  expect(html).not.toMatch(/secret|123456|then|"x"/);
  expect(html).toContain('<input name="a" value="1" />');
});

test("before a sign-in, too: with words of ours in the form, and the focus in the first field that was filled", () => {
  const drawn = form(`<input type="hidden" name="h"/><input name="a"/><input name="b"/><textarea name="t"></textarea>`) + form('<input name="z"/>', "/b");
  const html = sentAgain(drawn, { path: "/a", fields: { b: "one", t: "two" }, isBack: true }, "<p>Look</p>");
  expect(html).toContain('action="/a"><p>Look</p><input type="hidden"');
  expect(html).toContain('<input name="b" value="one" autofocus=""');
  expect([html.match(/autofocus/g)?.length, html.match(/Look/g)?.length]).toEqual([1, 1]);
});

test("in the form that was sent, of several: the one whose hidden fields say the same", () => {
  const step = (name: string) => form(`<input type="hidden" name="step" value="${name}"/><input name="a" aria-invalid="true"/>`);
  const html = again(`${form('<input name="a"/>', "/b")}${step("one")}${step("&quot;two&quot;")}<input name="a" aria-invalid="true"/>`, {
    step: '"two"',
    a: "typed",
  });
  expect(html.match(/typed/g)).toHaveLength(1);
  expect(html).toContain('value="&quot;two&quot;"/><input name="a" aria-invalid="true" autofocus="" value="typed" /></form>');
  expect(html.match(/autofocus/g)).toHaveLength(1);
  const elsewhere = form('<input name="a"/>', "/b");
  expect(again(elsewhere, { a: "typed" })).toBe(elsewhere);
  expect(again(step("one"), {})).toBe(step("one"));
});
