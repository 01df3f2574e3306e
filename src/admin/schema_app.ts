import { answer, endpoint } from "../lib/endpoint";

/** What the admin app's dashboard shows. `todayRevenue` is in USD, of this day (UTC), and may be below zero; `activeSessions` were used within 15 minutes. */
export type Stats = {
  totalUsers: number;
  todayRevenue: string;
  activeSessions: number;
  openTrades: number;
  recentActivity: Activity[];
};
export type Activity = { action: string; user: string; timestamp: string };

/** The strip at the app's head. `alerts` are the reader's unread notifications; null is what the reader may not see. */
export type Realtime = { onlineVisitors: number | null; pendingDeposits: number | null; alerts: number };
/** The part of it that is the same for everyone who may see it: the event of the stream when it changed. */
export type Pulse = Omit<Realtime, "alerts">;
export const pulseEvent = "realtime";

export const stats = endpoint("GET /api/admin/stats", { answer: answer<Stats>() });
export const realtimeData = endpoint("GET /api/admin/realtime-data", { answer: answer<Realtime>() });
