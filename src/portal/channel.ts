import { financialsOf } from "../accounts/queries";
import { findUser } from "../identity/queries";
import { wantsNotice } from "../identity/queries_notices";
import type { Channel, AppContext } from "../platform/app_context";
import { type PersonStanding, standingEvent } from "../identity/schema_standing";

/**
 * A person's own part of the stream, on every page: `purse`, the balances, when the wallet or a request for money changed; `standing`, when
 * staff decided about the person; and each `notice`, except of topics that the person left out.
 */
export function personChannel({ sql, bus, streams }: AppContext): Channel {
  return (stream, me) => {
    const stops = [
      bus.subscribe(
        "account",
        ({ userId, accountId }) => userId === me.id && accountId === null && streams.tell(stream, "purse", () => financialsOf(sql, me.id)),
      ),
      bus.subscribe(
        "standing",
        ({ userId }) =>
          userId === me.id &&
          streams.tell(stream, standingEvent, async (): Promise<PersonStanding | null> => {
            const person = await findUser(sql, me.id);
            return person && { registrationStatus: person.registrationStatus, kycStatus: person.kycStatus };
          }),
      ),
      bus.subscribe(
        "notice",
        ({ userId, title, message, kind, topic = "security" }) =>
          userId === me.id && streams.tell(stream, "notice", async () => ((await wantsNotice(sql, me.id, topic)) ? { title, message, kind } : null)),
      ),
    ];
    return () => stops.forEach((stop) => stop());
  };
}
