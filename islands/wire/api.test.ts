import { afterEach, expect, mock, spyOn, test } from "bun:test";
import * as v from "valibot";
import { answer, endpoint } from "../../src/lib/endpoint";
import { addressOf, ApiError, call, callUnder, isPutOff, isUnanswered, proveBy } from "./api";

const close = endpoint("POST /api/trading/positions/:id/close", {
  params: v.object({ id: v.string() }),
  body: v.object({ amount: v.optional(v.string()) }),
  answer: answer<{ id: string }>(),
});

const answering = (response: () => Response) => spyOn(globalThis, "fetch").mockImplementation(Object.assign(async () => response(), { preconnect: () => {} }));
afterEach(() => mock.restore());

const failure = async (action: Promise<unknown>): Promise<ApiError> => {
  const error = await action.then(
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

test("sends JSON with the key of the action and returns the answer", async () => {
  const fetching = answering(() => Response.json({ id: "1" }));
  expect(await callUnder("k1", close, { amount: "10.00" }, { params: { id: "1" } })).toEqual({ id: "1" });
  const [address, init] = fetching.mock.calls[0] as [string, RequestInit];
  expect(address).toBe("/api/trading/positions/1/close");
  expect(init).toMatchObject({ method: "POST", body: '{"amount":"10.00"}', headers: { "Content-Type": "application/json", "Idempotency-Key": "k1" } });
});

test("a refusal carries the server's message, code and fields", async () => {
  answering(() => Response.json({ message: "Not enough margin.", code: "insufficient_margin", fields: { amount: "Too much." } }, { status: 422 }));
  const error = await failure(call(close, {}, { params: { id: "1" } }));
  expect(error).toMatchObject({ status: 422, message: "Not enough margin.", code: "insufficient_margin", fields: { amount: "Too much." } });
});

test("where a message begins with a field's name in the call, a person reads words", async () => {
  for (const [field, name] of [
    ["takeProfit", "Take profit"],
    ["stopLoss", "Stop loss"],
  ] as const) {
    const says = (begin: string) => `${begin} must be above the current price`;
    answering(() => Response.json({ message: says(field), code: "invalid", fields: { [field]: says(field) } }, { status: 400 }));
    expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ message: says(name), fields: { [field]: says(name) } });
  }
});

test("an answer that is not ours is shown with its status", async () => {
  answering(() => new Response("Bad Gateway", { status: 502 }));
  expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ status: 502, message: "The server answered 502." });
});

test("a server out of reach is told in a sentence", async () => {
  answering(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ status: 0, code: "offline" });
});

test("what broke off on its way, or is no JSON of ours, is as good as lost", async () => {
  const cut = () =>
    new Response(
      new ReadableStream({
        pull(stream) {
          stream.error(new TypeError("terminated"));
        },
      }),
    );
  for (const answer of [cut, () => new Response("<h1>Sign in to the hotel's network</h1>")]) {
    answering(answer);
    expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ status: 0, code: "offline" });
  }
});

test("no answer, an answer for now, and an answer for good are told apart", () => {
  const of = (status: number, code: string) => new ApiError(status, "", code);
  const kind = (error: ApiError) => (isUnanswered(error) ? "lost" : isPutOff(error) ? "put off" : "answered");
  for (const [status, code] of [
    [0, "offline"],
    [500, "internal"],
    [502, "unknown"],
    [503, "unavailable"],
    [503, "unknown"],
    [504, "unknown"],
  ] as const)
    expect([status, code, kind(of(status, code))]).toEqual([status, code, "lost"]);
  for (const [status, code] of [
    [401, "unauthorized"],
    [403, "password_required"],
    [403, "reauth_required"],
    [408, "too_slow"],
    [429, "too_many_requests"],
    [503, "stale_price"],
  ] as const)
    expect([status, code, kind(of(status, code))]).toEqual([status, code, "put off"]);
  for (const [status, code] of [
    [400, "invalid"],
    [403, "forbidden"],
    [409, "conflict"],
    [422, "insufficient_margin"],
  ] as const)
    expect([status, code, kind(of(status, code))]).toEqual([status, code, "answered"]);
});

test("where a fresh proof is missing it is asked for, and the same call goes again; without it the refusal stands", async () => {
  const asked: boolean[] = [];
  const answers: (() => Response)[] = [];
  const fetching = answering(() => (answers.shift() ?? (() => Response.json({ id: "1" })))());
  const unproven = () => Response.json({ message: "Please confirm your password.", code: "reauth_required" }, { status: 403 });
  proveBy(async () => {
    asked.push(true);
    return asked.length === 1;
  });
  answers.push(unproven);
  expect(await callUnder("k1", close, { amount: "10.00" }, { params: { id: "1" } })).toEqual({ id: "1" });
  const [first, second] = fetching.mock.calls as unknown as [string, RequestInit][];
  expect(second).toEqual(first as never);
  answers.push(unproven);
  expect(await failure(call(close, {}, { params: { id: "1" } }))).toMatchObject({ code: "reauth_required" });
  expect([asked.length, fetching.mock.calls.length]).toEqual([2, 3]);
});
