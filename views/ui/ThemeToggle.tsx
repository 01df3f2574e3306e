import { PageIcon } from "./PageIcon";

/** Steps through light, dark and the device's own; the theme script does the work, so it shows only where scripts run. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      data-theme-toggle=""
      aria-label="Theme: system. Change theme"
      className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
    >
      <PageIcon name="sun" className="theme-light size-5" />
      <PageIcon name="moon" className="theme-dark size-5" />
      <PageIcon name="device" className="theme-system size-5" />
    </button>
  );
}
