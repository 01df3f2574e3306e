/**
 * A proxy in front of the program at `base`, as an operator's is. What `loses` names reaches the program and is done, but its answer
 * is thrown away once it has come, and the browser is told 504.
 */
export function losingProxy(base: string, loses: (request: Request) => boolean) {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers, body } = request;
      const answer = await fetch(base + pathname + search, { method, headers, body, redirect: "manual", decompress: false });
      if (!loses(request)) return answer;
      await answer.arrayBuffer();
      return new Response("<h1>504 Gateway Time-out</h1>", { status: 504, headers: { "Content-Type": "text/html" } });
    },
  });
  return { base: server.url.origin, end: () => server.stop(true) };
}
