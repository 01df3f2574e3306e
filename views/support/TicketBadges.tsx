import type { Priority, TicketStatus } from "../../src/support/schema";
import { Badge } from "../ui/Badge";
import { Icon } from "../ui/Icon";
import { PRIORITY, STATUS } from "./words";

export const PriorityBadge = ({ priority }: { priority: Priority }) => <Badge tone={PRIORITY[priority].tone}>{PRIORITY[priority].label}</Badge>;

export function StatusBadge({ status }: { status: TicketStatus }) {
  const { label, tone, icon } = STATUS[status];
  return (
    <Badge tone={tone}>
      <Icon name={icon} className="size-3.5" />
      {label}
    </Badge>
  );
}
