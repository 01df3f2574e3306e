import { expect, test } from "bun:test";
import { inOrder } from "./in_order";

test("an answer that a later question's overtook is thrown away; one that fails keeps none out", async () => {
  const take = inOrder();
  const shown: string[] = [];
  const [first, second, third] = [Promise.withResolvers<string>(), Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const asked = [first, second, third].map(({ promise }) =>
    take(
      () => promise,
      (answer) => void shown.push(answer),
    ),
  );
  second.resolve("second");
  await asked[1];
  first.resolve("first, late");
  await asked[0];
  expect(shown).toEqual(["second"]);
  third.reject(new Error("away"));
  await expect(asked[2]).rejects.toThrow("away");
  await take(
    async () => "fourth",
    (answer) => void shown.push(answer),
  );
  expect(shown).toEqual(["second", "fourth"]);
});
