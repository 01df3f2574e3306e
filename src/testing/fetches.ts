/** What a browser's page asked for, and what a test answers in the server's place. */
type Fetched = { at: string; key: string | null; body: unknown };
type Answers = Record<string, () => Response | Promise<Response>>;
type Init = { method?: string; headers: Record<string, string>; body: string | null };

/** Takes the place of `fetch` until `end`: each call is noted and answered by "METHOD /path" (query left out); others get an empty list. */
export function holdFetches(answers: Answers) {
  const own = globalThis.fetch;
  const sent: Fetched[] = [];
  globalThis.fetch = (async (url: string, { method = "GET", headers, body }: Init) => {
    const at = `${method} ${url.split("?")[0]}`;
    if (method !== "GET") sent.push({ at, key: headers["Idempotency-Key"] ?? null, body: body ? JSON.parse(body) : null });
    return answers[at]?.() ?? Response.json([]);
  }) as unknown as typeof fetch;
  return {
    sent,
    answers,
    end: () => {
      globalThis.fetch = own;
    },
  };
}

/** A refusal as the server words it. */
export const refusal = (status: number, code: string, message: string, fields?: Record<string, string>) =>
  Response.json({ message, code, ...(fields ? { fields } : {}) }, { status });
