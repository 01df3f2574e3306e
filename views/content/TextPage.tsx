import type { TextVersion } from "../../src/texts/schema";
import { headingsOf, Markdown } from "../texts/Markdown";
import { ProseFrame } from "./Prose";

type Props = { title: string; lead: string; text: TextVersion; /** The version that holds now, where this is an earlier one. */ newer: string | null };

/** A page whose text is the operator's own. */
export const TextPage = ({ title, lead, text, newer }: Props) => (
  <ProseFrame title={title} lead={lead} updated={`Version ${text.version}, since ${text.since.slice(0, 10)}`} parts={headingsOf(text.body)}>
    <article className="max-w-[42rem]">
      {newer === null ? null : (
        <p role="status" className="mb-6 rounded-control bg-warn-soft p-3">
          This is an earlier version.{" "}
          <a href={newer} className="text-accent underline underline-offset-2">
            Read the one that holds now
          </a>
          .
        </p>
      )}
      <Markdown text={text.body} />
    </article>
  </ProseFrame>
);
