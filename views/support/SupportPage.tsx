import SupportPortal, { type SupportProps } from "../../islands/support/SupportPortal";

export type { SupportProps } from "../../islands/support/SupportPortal";

/** The support portal as a page of its own. */
export const SupportPage = (props: SupportProps) => (
  <div className="mx-auto flex w-full max-w-[80rem] flex-col gap-4 px-4 py-6 md:px-6">
    <div>
      <h1 className="text-title font-semibold">Support</h1>
      <p className="text-soft">Write to our support team, and follow what becomes of it.</p>
    </div>
    <SupportPortal {...props} />
  </div>
);
