import { afterEach, expect, mock, spyOn, test } from "bun:test";
import * as v from "valibot";
import { answer, endpoint } from "../../src/lib/endpoint";
import { addressOf, ApiError, call } from "./api";

const close = endpoint("POST /api/trading/positions/:id/close", {
  params: v.object({ id: v.string() }),
  body: v.object({ amount: v.optional(v.string()) }),
  answer: answer<{ id: string }>(),
});

const answering = (response: () => Response) => spyOn(globalThis, "fetch").mockImplementation(Object.assign(async () => response(), { preconnect: () => {} }));
afterEach(() => mock.restore());

const failure = async (deed: Promise<unknown>): Promise<ApiError> => {
  const error = await deed.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error("no ApiError was thrown");
  return error;
};

test("path and query are filled in and encoded", () => {
  expect(addressOf("/api/x/:id/close", { id: "a/b" }, undefined)).toBe("/api/x/a%2Fb/close");
  expect(addressOf("/api/x", undefined, { symbol: "EUR/USD", limit: 5, cursor: undefined })).toBe("/api/x?symbol=EUR%2FUSD&limit=5");
});

test("sends JSON with the key of the deed and returns the answer", async () => {
  const fetching = answering(() => Response.json({ id: "1" }));
  expect(await call(close, { amount: "10.00" }, { params: { id: "1" }, idempotencyKey: "k1" })).toEqual({ id: "1" });
  const [address, init] = fetching.mock.calls[0] as [string, RequestInit];
  expect(address).toBe("/api/trading/positions/1/close");
  expect(init).toMatchObject({ method: "POST", body: '{"amount":"10.00"}', headers: { "Content-Type": "application/json", "Idempotency-Key": "k1" } });
});

test("a refusal carries the server's message, code and fields", async () => {
  answering(() => Response.json({ message: "Not enough margin.", code: "insufficient_margin", fields: { amount: "Too much." } }, { status: 422 }));
  const error = await failure(call(close, {}, { params: { id: "1" } }));
  expect(error).toMatchObject({ status: 422, message: "Not enough margin.", code: "insufficient_margin", fields: { amount: "Too much." } });
});

test("an answer that is not ours is shown with its status", async () => {
  answering(() => new Response("Bad Gateway", { status: 502 }));
  expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ status: 502, message: "502: Bad Gateway" });
});

test("a server out of reach is told in a sentence", async () => {
  answering(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ status: 0, code: "offline" });
});
