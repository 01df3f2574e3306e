import { Fragment, type ReactNode } from "react";
import { waysIn } from "../../src/lib/ways";

/** A refusal's words; the page that lifts it is a link, where they name one. Anything else as it is. */
export const withWays = (words: ReactNode): ReactNode =>
  typeof words !== "string"
    ? words
    : waysIn(words).map((part, at) =>
        typeof part === "string" ? (
          <Fragment key={at}>{part}</Fragment>
        ) : (
          <a key={at} href={part.href} className="font-medium underline underline-offset-2">
            {part.words}
          </a>
        ),
      );
