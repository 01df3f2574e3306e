import { FREEZE_WORDS, type Frame, type Letter } from "./letter";

/** A letter as it will read, with what stands around it, where staff look at it before they save its words. */
export const LetterPreview = ({ letter: { subject, words, facts = [], action, after = [] }, frame }: { letter: Letter; frame: Frame }) => (
  <article className="flex flex-col gap-3 [overflow-wrap:anywhere]">
    <p className="font-semibold">{frame.brand}</p>
    <h3 className="text-product font-semibold">{subject}</h3>
    {words.map((paragraph, n) => (
      <p key={n}>{paragraph}</p>
    ))}
    {facts.length > 0 ? (
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-table">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-soft">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    ) : null}
    {action ? (
      <div>
        <span className="inline-flex min-h-11 items-center rounded-control bg-accent px-4 font-medium text-on-accent">{action.label}</span>
        {action.note ? <p className="pt-1 text-table text-soft">{action.note}</p> : null}
      </div>
    ) : null}
    {after.map((paragraph, n) => (
      <p key={n}>{paragraph}</p>
    ))}
    {frame.freeze ? <p className="border-t border-line pt-3 text-table text-soft">{`${FREEZE_WORDS} This was not me`}</p> : null}
  </article>
);
