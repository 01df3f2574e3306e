import { renderToStaticMarkup } from "react-dom/server";
import { faqOf } from "../../views/content/faq";
import { ownText } from "../../views/content/own_texts";
import { Markdown } from "../../views/texts/Markdown";
import { Refusal } from "../lib/refusal";
import { write } from "../mail/compose";
import { ownWords, placeholdersOf, sampleOf } from "../mail/letter_words";
import type { AppContext } from "../platform/app_context";
import { Reply, Routes } from "../platform/http/routes";
import { publish } from "../texts/commands";
import { brandNow } from "../texts/brand";
import { changeBrand, changePicture } from "../texts/commands_brand";
import { changeClaim, makeClaim } from "../texts/commands_claims";
import { letterNamed, refuseUnfit as refuseWords, writeLetter } from "../texts/commands_letters";
import { staffTexts, textVersions } from "../texts/queries";
import { brandVersions } from "../texts/queries_brand";
import { letterVersions, staffLetters } from "../texts/queries_letters";
import { claimVersions, houseClaims } from "../texts/queries_claims";
import * as calls from "../texts/schema";
import * as brand from "../texts/schema_brand";
import * as letters from "../texts/schema_letters";
import * as claims from "../texts/schema_claims";

const PICTURES = /^image\/(png|jpeg|webp)$/i;
const MOST_PICTURE = 2 * 1024 * 1024;

/** The staff's routes to the texts of the site's pages, and to what these claim of the house. */
export const textStaffRoutes = (app: AppContext) =>
  new Routes(app, import.meta.path)
    .admin("texts.read", calls.listTexts, () => staffTexts(app.sql))
    .admin("texts.read", calls.readText, async ({ params: { page } }) => ({
      page,
      own: ownText(page, app.config.siteMode === "demo"),
      versions: await textVersions(app.sql, page),
    }))
    .admin("texts.change", calls.previewText, ({ params: { page }, body }) => {
      refuseUnfit(page, body.body);
      return { html: renderToStaticMarkup(Markdown({ text: body.body })) };
    })
    .decision("texts.change", calls.publishText, async ({ act, params: { page }, body }) => {
      refuseUnfit(page, body.body);
      return new Reply(201, await publish(app, act, page, body));
    })
    .admin("texts.read", letters.listLetterTexts, () => staffLetters(app.sql))
    .admin("texts.read", letters.readLetterText, async ({ params }) => {
      const id = letterNamed(params.letter);
      return { own: ownWords(id), ...placeholdersOf(id), versions: await letterVersions(app.sql, id) };
    })
    .admin("texts.change", letters.previewLetterText, async ({ params, body }) => {
      const id = letterNamed(params.letter);
      refuseWords(id, body);
      return write(app.config, app.brand, sampleOf(id), {}, null, { ...body, isMarkdown: true }, true);
    })
    .decision(
      "texts.change",
      letters.writeLetterText,
      async ({ act, params, body }) => new Reply(201, await writeLetter(app, act, letterNamed(params.letter), body)),
    )
    .admin("texts.read", brand.readBrand, () => brandNow(app))
    .admin("texts.read", brand.listBrandVersions, () => brandVersions(app.sql))
    .decision("texts.change", brand.changeBrand, ({ act, body }) => changeBrand(app, act, body))
    .adminUpload("texts.change", brand.changePicture, { types: PICTURES, limit: MOST_PICTURE }, ({ act, query: { kind, version, reason }, file }) =>
      changePicture(app, act, kind, file, version, reason),
    )
    .admin("texts.read", claims.listClaims, () => houseClaims(app.sql))
    .admin("texts.read", claims.listClaimVersions, ({ params }) => claimVersions(app.sql, params.id))
    .decision("texts.change", claims.makeClaim, async ({ act, body }) => new Reply(201, await makeClaim(app, act, body)))
    .decision("texts.change", claims.changeClaim, ({ act, params, body }) => changeClaim(app, act, params.id, body));

function refuseUnfit(page: calls.TextPage, body: string): void {
  if (page !== "faq" || faqOf(body).length > 0) return;
  const why = "Questions need a category '## …' above them, a heading '### …' each, and an answer below it.";
  throw new Refusal("invalid", why, { body: why });
}
