/** Where a visitor who wants to talk at once goes: to sign in, and from there to the chat. */
export const LIVE_CHAT = `/api/login?returnTo=${encodeURIComponent("/support?view=chat")}`;
/** Where one who wants to trade goes: to sign in, and from there to the accounts. */
export const TO_DASHBOARD = "/api/login?returnTo=/dashboard";
