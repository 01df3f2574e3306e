import type { Category, Priority, TicketStatus } from "../../src/support/schema";
import type { Tone } from "../ui/Badge";
import type { IconName } from "../ui/Icon";

/** How tickets are called on every screen. */

export const CATEGORY: Readonly<Record<Category, string>> = {
  technical: "Technical Issues",
  financial: "Financial/Deposits",
  account: "Account Management",
  trading: "Trading Platform",
  general: "General Inquiry",
};

/** `response`: as `PROMISED_HOURS` has it, the longer of the two. */
type PriorityWords = { label: string; response: string; tone: Tone };
export const PRIORITY: Readonly<Record<Priority, PriorityWords>> = {
  low: { label: "Low", response: "24-48 hours", tone: "secondary" },
  medium: { label: "Medium", response: "12-24 hours", tone: "default" },
  high: { label: "High", response: "4-8 hours", tone: "warning" },
  urgent: { label: "Urgent", response: "1-2 hours", tone: "destructive" },
};

type StatusWords = { label: string; tone: Tone; icon: IconName };
export const STATUS: Readonly<Record<TicketStatus, StatusWords>> = {
  open: { label: "Open", tone: "warning", icon: "clock" },
  in_progress: { label: "In Progress", tone: "default", icon: "refresh" },
  resolved: { label: "Resolved", tone: "gain", icon: "check" },
  closed: { label: "Closed", tone: "secondary", icon: "close" },
};

/** Why a ticket that lacks something is not sent. */
export const FILL_ALL = { title: "Please fill all fields", description: "Subject, message, and category are required." };
export const CREATED = { title: "Support ticket created", description: "Your ticket has been submitted successfully. We'll respond soon." };
export const NOT_CREATED = "Failed to create ticket";
export const PENDING_REVIEW = "Your ticket is pending review. Our support team will respond soon.";

const UNITS = ["B", "kB", "MB"] as const;
/** A file's size for the eye: "1.2 MB". */
export function sizeText(bytes: number): string {
  const place = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  return `${(bytes / 1000 ** place).toFixed(place === 2 ? 1 : 0)} ${UNITS[place]}`;
}
