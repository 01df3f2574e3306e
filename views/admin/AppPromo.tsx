import { ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { PageIcon } from "../ui/PageIcon";

/** Leads from the control panel to the app, in a tab of its own. */
export const AppPromo = () => (
  <aside
    aria-label="Admin app"
    className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border border-line bg-surface px-4 py-3"
  >
    <div className="flex items-center gap-3">
      <span className="inline-flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-soft">
        <Icon name="phone" />
      </span>
      <p>
        <strong className="font-semibold">Admin app</strong>
        <span className="block text-table text-soft">Decide on the way: requests, visitors and alerts in a layout for the phone.</span>
      </p>
    </div>
    <ButtonLink href="/admin-app" target="_blank" rel="noopener" variant="secondary" size="small">
      Open Admin App
      <PageIcon name="external" className="size-4" />
    </ButtonLink>
  </aside>
);
