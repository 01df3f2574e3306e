import type { ReactNode } from "react";

type Props = { id: string; title: string; /** What its reader should know of it. */ lead: ReactNode; /** Its buttons. */ children?: ReactNode };

/** What a part of a staff's tab begins with. `id` names its section (`aria-labelledby`). */
export const PartHead = ({ id, title, lead, children }: Props) => (
  <>
    <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
      <h2 id={id} className="text-product font-semibold">
        {title}
      </h2>
      {children}
    </div>
    <p className="mb-2 text-table text-soft">{lead}</p>
  </>
);
