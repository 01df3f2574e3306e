import { VerificationPage } from "../../views/compliance/VerificationPage";
import { fit } from "../lib/fit";
import { invalidField, Refusal } from "../lib/refusal";
import type { AppContext, Me } from "../platform/app_context";
import type { Parts } from "../platform/http/body";
import { refusedForm } from "../platform/http/refused";
import { redirect, Routes, statusOf } from "../platform/http/routes";
import { fileResponse } from "../platform/http/upload";
import type { Page } from "../platform/page/page";
import * as commands from "./commands";
import { sayOwnCountry } from "./commands_rules";
import { sayCountry } from "./schema_rules";
import { verificationOf } from "./queries";
import * as calls from "./schema";
import type { Vault } from "./vault";

/** Room for the words of a form around its files. */
const ROUND = 64 * 1024;
/** A form without scripts brings up to so many files at once. */
const MOST_FILES = 4;

/** What a form with files says, held to its shape. */
function documentIn({ fields }: Parts) {
  const asked = fit(calls.documentForm, { ...fields });
  if (!asked.ok) throw new Refusal("invalid", Object.values(asked.fields)[0] ?? "The form is not valid.", asked.fields);
  return asked.value;
}

/** The routes by which people show who they are: calls, and a page that works without scripts. */
export function verificationRoutes(app: AppContext, vault: Vault): Routes {
  const page = async (me: Me, status = 200, said?: { kind: string; message: string }): Promise<Page> => ({
    title: "Verification",
    noindex: true,
    ...(status === 200 ? {} : { status }),
    body: <VerificationPage verification={await verificationOf(app.sql, me.id)} country={me.country} {...(said ? { said } : {})} />,
  });
  return new Routes(app, import.meta.path)
    .user(calls.readVerification, ({ me }) => verificationOf(app.sql, me.id))
    .uploadForm(calls.sendDocument, calls.DOCUMENT_LIMIT + ROUND, ({ me, parts }) => {
      const [file, ...more] = parts.files;
      if (!file || more.length > 0) throw invalidField("file", file ? "Send one file at a time." : "Choose a file.");
      return commands.keepDocument(app, vault, me, { ...documentIn(parts), file: file.bytes });
    })
    .user(calls.readDocument, async ({ me, params }) => fileResponse(await commands.ownDocument(app, vault, me, params.id), `document-${params.id}`))
    .userPage("/verification", ({ me }) => page(me))
    .fileForm("/verification", 2 * calls.DOCUMENT_LIMIT + ROUND, async ({ context, parts, me }) => {
      const isHome = "country" in parts.fields;
      try {
        if (isHome) {
          const home = fit(sayCountry.body, { ...parts.fields });
          if (!home.ok) throw new Refusal("invalid", Object.values(home.fields)[0] ?? "", home.fields);
          await sayOwnCountry(app, context, me, home.value.country);
          return redirect("/verification", 303);
        }
        const asked = documentIn(parts);
        if (parts.files.length === 0) throw invalidField("file", "Choose a file.");
        if (parts.files.length > MOST_FILES) throw invalidField("file", `Send at most ${MOST_FILES} files at once.`);
        // Each input of a document with two sides has the side's name.
        for (const { name, bytes } of parts.files)
          await commands.keepDocument(app, vault, me, { ...asked, side: name === "front" || name === "back" ? name : asked.side, file: bytes });
        return redirect("/verification", 303);
      } catch (error) {
        const refusal = refusedForm(app, context, error);
        return page(me, statusOf(refusal), { kind: isHome ? "country" : (parts.fields.kind ?? ""), message: refusal.message });
      }
    });
}
