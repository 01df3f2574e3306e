import { Button, ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { EmptyState } from "../ui/States";
import { type Category, searchFaq } from "./faq";
import { LIVE_CHAT } from "./links";
import { PageHead } from "./PageHead";

const NONE = "No questions found matching your search.";
const TRY = "Try a single word, such as withdrawal or leverage.";

/** Questions and answers; `words` is what was searched for. Neither the accordion nor the search needs a script; with one all questions are filtered as one types. */
export function FaqPage({ words, faq }: { words: string; faq: Category[] }) {
  const found = searchFaq(words, faq);
  return (
    <>
      <PageHead title="Frequently asked questions" lead="Accounts, trading, money and security, in plain words. What is missing here, ask us." />
      <div className="mx-auto w-full max-w-[70rem] px-4 md:px-6">
        <Search words={words} />
        {found.length ? (
          <div data-faq-list="" className="mt-4">
            {words ? (
              <p className="pt-6 text-product text-soft" role="status">
                {countText(found)} for “{words}”.{" "}
                <a href="/faq" className="inline-flex min-h-11 items-center font-medium text-accent underline underline-offset-2">
                  Clear Search
                </a>
              </p>
            ) : null}
            {found.map((category) => (
              <Questions key={category.title} category={category} open={words !== ""} />
            ))}
            {words ? null : (
              <div data-faq-none="" hidden>
                <EmptyState icon="search" title={NONE} action={<Button variant="secondary">Clear Search</Button>}>
                  {TRY}
                </EmptyState>
              </div>
            )}
          </div>
        ) : (
          <div data-faq-list="">
            <EmptyState
              icon="search"
              title={NONE}
              action={
                <ButtonLink href="/faq" variant="secondary">
                  Clear Search
                </ButtonLink>
              }
            >
              {TRY}
            </EmptyState>
          </div>
        )}
      </div>
      <Further />
    </>
  );
}

function countText(found: Category[]): string {
  const count = found.reduce((sum, { questions }) => sum + questions.length, 0);
  return count === 1 ? "1 question" : `${count} questions`;
}

const Search = ({ words }: { words: string }) => (
  <form role="search" method="get" action="/faq" data-faq="" className="flex max-w-[36rem] gap-2">
    <label htmlFor="faq-search" className="sr-only">
      Search questions
    </label>
    <div className="relative min-w-0 flex-1">
      <Icon name="search" className="pointer-events-none absolute left-3 top-3.5 size-5 text-soft" />
      <input
        id="faq-search"
        type="search"
        name="q"
        defaultValue={words}
        maxLength={100}
        placeholder="Search questions and answers"
        className="block min-h-12 w-full rounded-control border border-control bg-surface pl-11 pr-3 text-base text-ink placeholder:text-soft hover:border-ink"
      />
    </div>
    <Button type="submit" size="large">
      Search
    </Button>
  </form>
);

function Questions({ category: { title, questions }, open }: { category: Category; open: boolean }) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  return (
    <section
      data-faq-group=""
      id={id}
      aria-labelledby={`${id}-title`}
      className="[&[hidden]]:hidden grid grid-cols-1 gap-x-16 gap-y-4 pt-12 md:pt-16 lg:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <h2 id={`${id}-title`} className="font-serif text-title">
        {title}
      </h2>
      <div className="border-t border-line">
        {questions.map(({ id: anchor, question, answer }) => (
          <details key={anchor} id={anchor} open={open} className="group scroll-mt-24 border-b border-line">
            <summary className="flex min-h-14 items-center justify-between gap-6 py-3 font-medium hover:text-accent">
              {question}
              <Icon name="plus" className="size-5 text-soft transition-transform duration-150 group-open:rotate-45" />
            </summary>
            <p className="max-w-prose pb-6 pr-8 text-soft">{answer}</p>
          </details>
        ))}
      </div>
    </section>
  );
}

const Further = () => (
  <section className="mx-auto mt-16 w-full max-w-[70rem] px-4 md:mt-20 md:px-6">
    <div className="flex flex-wrap items-center justify-between gap-6 border-t border-line pt-12">
      <div>
        <h2 className="font-serif text-title">Still have questions?</h2>
        <p className="mt-2 text-soft">Write to us, or talk to somebody at once.</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <ButtonLink href="/contact" size="large">
          Contact Support
        </ButtonLink>
        <ButtonLink href={LIVE_CHAT} size="large" variant="secondary">
          Live Chat
        </ButtonLink>
      </div>
    </div>
  </section>
);
