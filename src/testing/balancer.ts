/**
 * Spreads requests over programs as a proxy before several instances does: it looks at each one's /healthz, and asks only who answers there, each
 * in turn. It never asks twice: what one could not answer, nobody answers.
 */
const LOOK_EVERY = 200;

type Backend = { base: string; up: boolean };

export function balancer() {
  const backends: Backend[] = [];
  let turn = 0;
  const look = async (backend: Backend) => {
    backend.up = await fetch(`${backend.base}/healthz`, { signal: AbortSignal.timeout(LOOK_EVERY * 5) }).then(
      (told) => told.status === 200,
      () => false,
    );
  };
  const looks = setInterval(() => backends.forEach((backend) => void look(backend)), LOOK_EVERY);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch(request) {
      const up = backends.filter((each) => each.up);
      const to = up[turn++ % Math.max(up.length, 1)];
      if (!to) return new Response("nobody is there", { status: 503 });
      const { pathname, search } = new URL(request.url);
      const { method, headers, body, signal } = request;
      return fetch(to.base + pathname + search, { method, headers, body, redirect: "manual", decompress: false, signal }).catch(
        (error: unknown) => new Response(`${to.base} did not answer: ${String(error)}`, { status: 502 }),
      );
    },
  });
  return {
    base: server.url.origin,
    /** From its first healthy look on it is asked. */
    add: (base: string) => void backends.push({ base, up: false }),
    remove: (base: string) => void backends.splice(backends.findIndex((each) => each.base === base) >>> 0, 1),
    asks: (base: string) => backends.some((each) => each.base === base && each.up),
    async end() {
      clearInterval(looks);
      await server.stop(true);
    },
  };
}
