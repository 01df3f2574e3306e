import type { Db, Sql } from "../platform/db";
import { unauthorized } from "../lib/refusal";
import type { Caller, Gate, House, Me } from "../platform/house";
import type { Visit } from "../platform/http";
import type { Stream } from "../platform/stream";
import { findMe } from "./queries";
import { LIFETIME } from "./rules";

/** Behind https the browser itself holds the cookie to this host and path. */
const cookieName = (visit: Visit) => (visit.secure ? "__Host-sid" : "sid");
const TOKEN = /^[A-Za-z0-9_-]{43}$/;
/** How often a session's use is noted, in seconds: each request would be a write for nothing. */
const NOTE_EVERY = 60;

const sidOf = (token: string) => new Bun.CryptoHasher("sha256").update(token).digest("hex");

/** The session token of a request, or null; read from the header itself, so that a value that looks like JSON stays text. */
export function tokenOf(visit: Visit): string | null {
  const header = visit.request.headers.get("cookie");
  if (!header) return null;
  const name = `${cookieName(visit)}=`;
  for (const part of header.split(";")) {
    const cookie = part.trim();
    if (cookie.startsWith(name)) return TOKEN.test(cookie.slice(name.length)) ? cookie.slice(name.length) : null;
  }
  return null;
}

function setCookie(visit: Visit, token: string, maxAge: number) {
  visit.headers.append("Set-Cookie", `${cookieName(visit)}=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${visit.secure ? "; Secure" : ""}`);
}
const clearCookie = (visit: Visit) => setCookie(visit, "", 0);

/** Opens a session with a new id and puts its cookie on the answer. The id itself is stored nowhere. */
export async function openSession(sql: Sql, visit: Visit, userId: string, role: "user" | "admin") {
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url");
  const { idle, most } = LIFETIME[role];
  const sess = JSON.stringify({ ip: visit.ip, userAgent: visit.userAgent });
  await sql`
    insert into sessions (sid, user_id, sess, expire)
    values (${sidOf(token)}, ${userId}, ${sess}::text::json, now() + make_interval(secs => ${idle}))
  `;
  setCookie(visit, token, most);
}

/** Ends the visit's own session, if it has one. Returns whose and which it was. */
export async function endSession(sql: Sql, visit: Visit): Promise<{ userId: string; sessionId: string } | null> {
  const token = tokenOf(visit);
  clearCookie(visit);
  if (!token) return null;
  const rows = await sql<{ userId: string; sessionId: string }[]>`
    delete from sessions where sid = ${sidOf(token)} returning user_id as "userId", id as "sessionId"
  `;
  return rows[0] ?? null;
}

/**
 * Who is at the door: the session's person, as the database knows them at this moment. Where `admin2fa` asks administrators for a second
 * factor, one who has none yet is met as a trader, so that whatever is for staff alone stays shut.
 */
export function openGate(sql: Db, admin2fa: boolean): Gate {
  const whoIs = async (visit: Visit): Promise<Me | null> => {
    const token = tokenOf(visit);
    if (!token) return null;
    const sid = sidOf(token);
    const found = await findMe(sql, sid, admin2fa);
    if (!found) return null;
    const { idle, ...me } = found;
    if (idle >= NOTE_EVERY) await noteUse(sql, sid, me.role);
    return me.heldBack ? { ...me, role: "user" } : me;
  };
  const callerOf = (visit: Visit): Caller | null => {
    const token = tokenOf(visit);
    if (!token) return null;
    const meet = async () => {
      visit.me ??= await whoIs(visit);
      if (!visit.me) throw unauthorized();
      return visit.me;
    };
    // The deed is done by then: where its use can't be noted, the next request notes it.
    return { session: sidOf(token), meet, used: (idle) => idle >= NOTE_EVERY && void meet().catch(() => {}) };
  };
  return { whoIs, callerOf };
}

async function noteUse(sql: Sql, sid: string, role: "user" | "admin") {
  const { idle, most } = LIFETIME[role];
  await sql`
    update sessions
    set seen_at = now(), expire = least(now() + make_interval(secs => ${idle}), created_at + make_interval(secs => ${most}))
    where sid = ${sid}
  `;
}

/** Opens a stream for the signed-in that ends with its session, and when the role is another. `begin` returns how to stop listening. */
export const openStream = (house: House, visit: Visit, me: Me, begin: (stream: Stream) => () => void): Response =>
  house.streams.open(
    visit,
    (stream) => {
      const stopWatching = house.bus.subscribe(
        "sessions",
        ({ userId, sessionId }) => userId === me.id && (sessionId === null || sessionId === me.sessionId) && stream.end(),
      );
      try {
        const stop = begin(stream);
        return () => {
          stopWatching();
          stop();
        };
      } catch (error) {
        stopWatching();
        throw error;
      }
    },
    { stillWelcome: async () => (await house.gate.whoIs(visit))?.role === me.role },
  );
