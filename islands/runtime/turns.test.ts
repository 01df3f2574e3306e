import { afterAll, afterEach, expect, test } from "bun:test";
import { heldPictures } from "../../src/testing/pictures";
import { inTurn } from "./turns";

const { picture, all, end } = heldPictures();
afterEach(all);
afterAll(end);
/** What is done in each of so many pictures. */
function pictures(done: string[], count: number): string[][] {
  return Array.from({ length: count }, () => {
    done.length = 0;
    picture();
    return [...done];
  });
}

test("each has a picture of its own, with one between, in which the last is drawn; also what a task asks for, and one that fails", () => {
  const done: string[] = [];
  inTurn("prices", () => {
    done.push("prices");
    inTurn("RSI", () => done.push("RSI"));
    inTurn("MACD", () => done.push("MACD"));
  });
  expect(pictures(done, 7)).toEqual([["prices"], [], ["RSI"], [], ["MACD"], [], []]);
  inTurn("broken", () => {
    throw new Error("not drawn");
  });
  inTurn("next", () => done.push("next"));
  expect(picture).toThrow("not drawn");
  expect(pictures(done, 3)).toEqual([[], ["next"], []]);
});

test("what is asked for again while it waits keeps its place, and is done once, as it was asked last", () => {
  const done: string[] = [];
  inTurn("prices", () => done.push("1.08"));
  inTurn("RSI", () => done.push("RSI"));
  inTurn("prices", () => done.push("1.09"));
  expect(pictures(done, 5)).toEqual([["1.09"], [], ["RSI"], [], []]);
});

test("nor is anything done in the picture that draws the last one", () => {
  const done: string[] = [];
  inTurn("prices", () => done.push("prices"));
  picture();
  inTurn("bid and ask", () => done.push("bid and ask"));
  expect(pictures(done, 3)).toEqual([[], ["bid and ask"], []]);
});
