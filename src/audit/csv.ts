import { csvFile } from "../platform/http/csv";
import type { Db } from "../platform/database/db";
import { listAudit, type PeopleMeant } from "./queries";
import type { AuditEntry } from "./schema";

type Search = Omit<Parameters<typeof listAudit>[1], "limit" | "cursor">;

/** The entries that a search finds, as a file. States are JSON, as they are stored. */
export const auditFile = (sql: Db, search: Search, people: PeopleMeant): Response =>
  csvFile<AuditEntry>({
    name: "audit-trail",
    most: 200_000,
    columns: [
      ["No.", (e) => e.id],
      ["Time (UTC)", (e) => e.createdAt],
      ["Administrator", (e) => e.admin],
      ["Action", (e) => e.action],
      ["Target", (e) => e.target],
      ["Target ID", (e) => e.targetUserId],
      ["Reason", (e) => e.reason],
      ["Before", (e) => JSON.stringify(e.previousState)],
      ["After", (e) => JSON.stringify(e.newState)],
      ["Details", (e) => JSON.stringify(e.details)],
      ["IP", (e) => e.ipAddress],
      ["User agent", (e) => e.userAgent],
    ],
    rowsAfter: (last, limit) => listAudit(sql, { ...search, limit, cursor: last?.id }, people),
  });
