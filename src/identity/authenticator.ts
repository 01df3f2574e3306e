import { permissionsOf } from "../lib/permissions";
import type { Db, Sql } from "../platform/database/db";
import { unauthorized } from "../lib/refusal";
import type { Caller, Authenticator, AppContext, Me, Meeting } from "../platform/app_context";
import type { RequestContext } from "../platform/http/routes";
import type { Stream } from "../platform/http/stream";
import { lastPersonHere, rememberDevice } from "./commands_devices";
import { cookieOf, hashOf, newToken, setCookie } from "./cookies";
import { findMe, type Found, isProven } from "./queries";
import { LIFETIME } from "./rules";

const COOKIE = "sid";
/** How often a session's use is noted, in seconds: each request would be a write for nothing. */
const NOTE_EVERY = 60;

const tokenOf = (context: RequestContext) => cookieOf(context, COOKIE);

/** Opens a session with a new id, puts its cookie on the answer and remembers the browser. The id itself is stored nowhere. */
export async function openSession(sql: Sql, context: RequestContext, userId: string, role: "user" | "admin") {
  const token = newToken();
  const { idle, most } = LIFETIME[role];
  const sess = JSON.stringify({ ip: context.ip, userAgent: context.userAgent });
  setCookie(context, COOKIE, token, most);
  const device = await rememberDevice(sql, context, userId);
  await sql`
    insert into sessions (sid, user_id, device_id, sess, expire)
    values (${hashOf(token)}, ${userId}, ${device}, ${sess}::text::json, now() + make_interval(secs => ${idle}))
  `;
}

/** Ends the request's own session, if it has one. Returns whose and which it was. */
export async function endSession(sql: Sql, context: RequestContext): Promise<{ userId: string; sessionId: string } | null> {
  const token = tokenOf(context);
  setCookie(context, COOKIE, "", 0);
  if (!token) return null;
  const rows = await sql<{ userId: string; sessionId: string }[]>`
    delete from sessions where sid = ${hashOf(token)} returning user_id as "userId", id as "sessionId"
  `;
  return rows[0] ?? null;
}

/**
 * Who makes a request: the session's person, as the database knows them at this moment. With `admin2fa` an administrator without a second
 * factor counts as a trader, so that every route of staff refuses.
 */
export function createAuthenticator(sql: Db, admin2fa: boolean): Authenticator {
  const owners = new Owners();
  const whoIs = async (context: RequestContext): Promise<Me | null> => {
    const token = tokenOf(context);
    if (!token) return null;
    const sid = hashOf(token);
    const found = await findMe(sql, sid, admin2fa);
    if (!found) return null;
    owners.note(sid, found.id);
    if (found.idle >= NOTE_EVERY) await noteUse(sql, sid, found.role);
    return meOf(found);
  };
  const meetingOf = (context: RequestContext): Meeting | null => {
    const token = tokenOf(context);
    const session = token && hashOf(token);
    const personId = session && owners.of(session);
    if (!personId) return null;
    const met = (found: Found | null) => {
      // Where its use can't be noted, the next request notes it.
      if (found && found.idle >= NOTE_EVERY) void noteUse(sql, session, found.role).catch(() => {});
      return found && meOf(found);
    };
    return { personId, me: findMe(sql, session, admin2fa).map(met) };
  };
  const callerOf = (context: RequestContext): Caller | null => {
    const token = tokenOf(context);
    if (!token) return null;
    const meet = async () => {
      context.me ??= await whoIs(context);
      if (!context.me) throw unauthorized();
      return context.me;
    };
    const session = hashOf(token);
    const person = async () => owners.of(session) ?? (await meet()).id;
    // The command is done by then: where its use can't be noted, the next request notes it.
    return { session, person, meet, used: (idle) => idle >= NOTE_EVERY && void meet().catch(() => {}) };
  };
  return { whoIs, callerOf, meetingOf, isProven: (me) => isProven(sql, me), lastHere: (context) => lastPersonHere(sql, context) };
}

function meOf(found: Found): Me {
  const { idle: _, stored, ...me } = found;
  if (me.heldBack) return { ...me, role: "user", staffRole: null, permissions: [] };
  return { ...me, permissions: permissionsOf(me.staffRole, stored) };
}

/** Whose sessions are; that never changes, though a session may end. */
class Owners {
  private readonly bySession = new Map<string, string>();
  private static readonly MOST = 50_000;

  note(session: string, personId: string): void {
    if (this.bySession.size >= Owners.MOST) this.bySession.clear();
    this.bySession.set(session, personId);
  }
  of(session: string): string | undefined {
    return this.bySession.get(session);
  }
}

async function noteUse(sql: Sql, sid: string, role: "user" | "admin") {
  const { idle, most } = LIFETIME[role];
  await sql`
    update sessions
    set seen_at = now(), expire = least(now() + make_interval(secs => ${idle}), created_at + make_interval(secs => ${most}))
    where sid = ${sid}
  `;
}

/** Whether somebody may do just what was allowed before. */
const isAsBefore = (now: Me | null, { role, permissions }: Me) => now?.role === role && now.permissions.join() === permissions.join();

/** Opens a stream for the signed-in that ends with its session, and when the role is another or lets do other things. `begin` returns how to stop listening. */
export const openStream = (app: AppContext, context: RequestContext, me: Me, begin: (stream: Stream) => () => void): Response =>
  app.streams.open(
    context,
    (stream) => {
      const ends = [
        app.bus.subscribe("sessions", ({ userId, sessionId }) => userId === me.id && (sessionId === null || sessionId === me.sessionId) && stream.end()),
        app.bus.subscribe("rights", ({ userId, staffRole }) => (userId === me.id || (staffRole !== null && staffRole === me.staffRole)) && stream.end()),
      ];
      const stopWatching = () => ends.forEach((stop) => stop());
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
    { stillWelcome: async () => isAsBefore(await app.authenticator.whoIs(context), me) },
  );
