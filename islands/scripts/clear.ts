/** Wipes what this site left in the browser, then loads the page again. Runs on its own page only. */
const panel = document.querySelector<HTMLElement>("[data-clear]");
const told = panel?.querySelector<HTMLElement>("[data-clear-status]");

/** One kind of storage; a browser may lack it or forbid it, and then the others still go. */
async function attempt(name: string, wipe: () => unknown): Promise<string | null> {
  try {
    await wipe();
    return null;
  } catch {
    // Told to the person, by its name.
    return name;
  }
}

function expireCookies() {
  for (const cookie of document.cookie.split("; ")) document.cookie = `${cookie.split("=")[0]}=; path=/; max-age=0`;
}

const deleted = (name: string) =>
  new Promise<void>((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = reject;
    request.onblocked = reject;
  });

async function dropDatabases() {
  for (const { name } of (await indexedDB.databases?.()) ?? []) if (name) await deleted(name);
}

async function dropWorkers() {
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister();
}

async function dropCaches() {
  for (const name of await globalThis.caches.keys()) await globalThis.caches.delete(name);
}

async function endSession() {
  const { ok, status } = await fetch("/api/auth/logout", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" });
  if (!ok) throw new Error(String(status));
}

async function clear(signOut: boolean) {
  if (panel) panel.inert = true;
  const kept = [
    ...(signOut ? [await attempt("the session", endSession)] : []),
    await attempt("local storage", () => localStorage.clear()),
    await attempt("session storage", () => sessionStorage.clear()),
    await attempt("cookies", expireCookies),
    await attempt("databases", dropDatabases),
    await attempt("caches", () => ("caches" in globalThis ? dropCaches() : null)),
    await attempt("service workers", dropWorkers),
  ].filter((name) => name !== null);
  if (!kept.length) return location.reload();
  if (panel) panel.inert = false;
  if (told) told.textContent = `This could not be cleared: ${kept.join(", ")}. Close other tabs of this site and try again.`;
}

panel?.querySelector("[data-clear-quick]")?.addEventListener("click", () => void clear(false));
panel?.querySelector("[data-clear-all]")?.addEventListener("click", () => {
  if (confirm("Clear everything this site keeps in your browser, and sign out?")) void clear(true);
});

export {};
