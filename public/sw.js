/**
 * The service worker keeps two things: a page that says 'You are offline', fetched without cookies, and files under /assets,
 * whose names carry their content's hash. A page of a person and anything under /api always come from the network, so
 * the next person on this device finds nothing of the one before. Holding no page, it can never serve an old one after a deployment.
 */
const OFFLINE = "/offline";
const PAGE_CACHE = "offline-__BUILD__";
const ASSET_CACHE = "assets";
/** Files of earlier builds go first. */
const MOST_ASSETS = 80;

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const page = await fetch(OFFLINE, { credentials: "omit", cache: "no-store" });
      if (!page.ok) throw new Error(`the offline page answered ${page.status}`);
      await (await caches.open(PAGE_CACHE)).put(OFFLINE, page);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name !== PAGE_CACHE && name !== ASSET_CACHE) await caches.delete(name);
      await self.registration.navigationPreload?.enable();
      await self.clients.claim();
    })(),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  if (pathname.startsWith("/assets/")) event.respondWith(asset(event));
  else if (request.mode === "navigate" && !pathname.startsWith("/api/")) event.respondWith(page(event));
});

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await caches.match(OFFLINE, { ignoreVary: true })) ?? Response.error();
  }
}

async function asset(event) {
  const cache = await caches.open(ASSET_CACHE);
  const known = await cache.match(event.request, { ignoreVary: true });
  if (known) return known;
  const fresh = await fetch(event.request);
  if (fresh.ok) event.waitUntil(cache.put(event.request, fresh.clone()).then(() => trim(cache)));
  return fresh;
}

async function trim(cache) {
  const kept = await cache.keys();
  for (const old of kept.slice(0, Math.max(0, kept.length - MOST_ASSETS))) await cache.delete(old);
}

/** What a push or an alert may say: short texts, and an address on this site. */
function noticeOf(data) {
  const text = (value, most) => (typeof value === "string" ? value.slice(0, most) : "");
  return { title: text(data?.title, 100) || "News from your account", body: text(data?.body, 300), tag: text(data?.tag, 60), url: ownAddress(data?.url) };
}

function ownAddress(given) {
  try {
    const url = new URL(typeof given === "string" ? given : "/", self.location.origin);
    return url.origin === self.location.origin && !url.pathname.startsWith("/api/") ? url.href : `${self.location.origin}/`;
  } catch {
    return `${self.location.origin}/`;
  }
}

self.addEventListener("push", (event) => {
  let data = null;
  try {
    data = event.data?.json() ?? null;
  } catch {
    // Not ours to read: the person is told that there is news, and no more.
  }
  const { title, url, ...options } = noticeOf(data);
  event.waitUntil(self.registration.showNotification(title, { ...options, icon: "/icon-192.png", badge: "/icon-192.png", data: { url } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const url = ownAddress(event.notification.data?.url);
  event.waitUntil(
    (async () => {
      const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
      const there = open.find((client) => client.url === url);
      await (there ? there.focus() : self.clients.openWindow(url));
    })(),
  );
});
