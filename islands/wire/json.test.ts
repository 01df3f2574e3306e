import { expect, test } from "bun:test";
import { scriptJson } from "./json";

const hostile = { text: `"'</script><script>alert(1)</script><!--&amp; \u2028\u2029`, list: ["</SCRIPT >", null, 1.5] };

test("JSON in a script element holds nothing that could end or open one", () => {
  const text = scriptJson(hostile);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
});

test("what was written is what is read", () => {
  expect(JSON.parse(scriptJson(hostile))).toEqual(hostile);
  expect(JSON.parse(scriptJson(undefined))).toBeNull();
});
