import { Icon } from "../ui/Icon";

const LINK = "inline-flex min-h-11 items-center gap-1 rounded-control px-3 text-table text-accent no-underline hover:bg-accent-soft md:min-h-9";

/** Back to the inbox's first page, on to the next. */
export const InboxPager = ({ at, isLater, next }: { at: string; isLater: boolean; next: string | null }) =>
  next || isLater ? (
    <nav aria-label="Pages" className="flex justify-between p-1">
      {isLater ? (
        <a href={at} className={LINK}>
          <Icon name="chevronLeft" className="size-4" />
          First page
        </a>
      ) : (
        <span />
      )}
      {next ? (
        <a href={`${at}&cursor=${next}`} className={LINK}>
          Next page
          <Icon name="chevronRight" className="size-4" />
        </a>
      ) : null}
    </nav>
  ) : null;
