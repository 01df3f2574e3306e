import { Panel } from "../ui/Card";
import { PageIcon, type PageIconName } from "../ui/PageIcon";

const CHOICES: { id: string; label: string; icon: PageIconName }[] = [
  { id: "light", label: "Light", icon: "sun" },
  { id: "dark", label: "Dark", icon: "moon" },
  { id: "system", label: "System", icon: "device" },
];

/** Light, dark, or the device's own: the page's own script does the work. */
export const ThemeChoice = () => (
  <Panel title="Appearance" id="appearance">
    <div role="group" aria-label="Theme" className="js-only grid grid-cols-3 gap-2">
      {CHOICES.map(({ id, label, icon }) => (
        <button
          key={id}
          type="button"
          data-theme-choice={id}
          aria-pressed={id === "system"}
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-control text-ink aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-semibold aria-pressed:text-accent"
        >
          <PageIcon name={icon} className="size-5" />
          {label}
        </button>
      ))}
    </div>
    <p className="mt-3 text-table text-soft">System follows your device. The choice is kept on this device alone.</p>
  </Panel>
);
