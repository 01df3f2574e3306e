/**
 * A proxy in front of the program at `base` whose live lines can fall silent: nothing comes through any more, and nobody is told, as where a
 * network forgot a connection. All else goes through.
 */
export function silentProxy(base: string) {
  let silent = false;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const { method, headers, body, signal } = request;
      const isLine = pathname === "/api/stream" && method === "GET";
      if (isLine && silent) return new Promise<Response>(() => {});
      const answer = await fetch(base + pathname + search, { method, headers, body, redirect: "manual", decompress: false, signal });
      if (!isLine || !answer.body) return answer;
      const heard = new TransformStream<Uint8Array, Uint8Array>({ transform: (chunk, out) => void (silent || out.enqueue(chunk)) });
      return new Response(answer.body.pipeThrough(heard), answer);
    },
  });
  return { base: server.url.origin, silence: (is: boolean) => void (silent = is), end: () => server.stop(true) };
}
