import type { User } from "./schema";

/** The event of the person's stream that tells what staff decided about registration and identity. */
export const standingEvent = "standing";
export type PersonStanding = Pick<User, "registrationStatus" | "kycStatus">;
