import { cursorOf } from "../lib/cursor";
import type { AppContext } from "../platform/app_context";
import { paged, Routes } from "../platform/http/routes";
import { fileResponse } from "../platform/http/upload";
import * as commands from "./commands";
import { documentQueue } from "./queries";
import * as calls from "./schema";
import type { Vault } from "./vault";

/** The staff's routes to people's documents. */
export const complianceStaffRoutes = (app: AppContext, vault: Vault) =>
  new Routes(app, import.meta.path)
    .admin("kyc.read", calls.listDocuments, async ({ query, context }) => paged(context.headers, await documentQueue(app.sql, query), query.limit, cursorOf))
    .admin("kyc.read", calls.seeDocument, async ({ act, params }) =>
      fileResponse(await commands.seeDocument(app, vault, act, params.id), `document-${params.id}`),
    )
    .admin("kyc.decide", calls.approveDocument, ({ act, params, body }) =>
      commands.decideDocument(app, act, params.id, { status: "approved", reason: null, note: body.note ?? "", expiresOn: body.expiresOn }),
    )
    .admin("kyc.decide", calls.approveDocuments, ({ act, body, context }) => commands.approveDocuments(app, act, body.ids, context.idempotency))
    .admin("kyc.decide", calls.rejectDocument, ({ act, params, body }) =>
      commands.decideDocument(app, act, params.id, { status: "rejected", reason: body.reason, note: body.note ?? "", expiresOn: null }),
    )
    .admin("kyc.decide", calls.askDocument, ({ act, params, body }) =>
      commands.decideDocument(app, act, params.id, { status: "asked", reason: body.reason, note: body.note ?? "", expiresOn: null }),
    )
    .admin("kyc.decide", calls.undoDocument, ({ act, params }) => commands.undoDocument(app, act, params.id));
