import { shortText } from "../../views/ui/staff/amounts";
import { Icon } from "../../views/ui/Icon";
import { toast } from "../wire/toasts";

/** A long text, shortened; whole under the pointer and the focus; a press copies it. `what` names it ("Address"). */
export function Copyable({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied!", description: `${what} Copied` });
    } catch {
      toast({ title: "Copy failed", description: `Please copy the ${what.toLowerCase()} manually`, variant: "destructive" });
    }
  };
  return (
    <span className="group relative inline-flex max-w-full">
      <button
        type="button"
        onClick={() => void copy()}
        className="inline-flex min-h-11 max-w-full items-center gap-1 rounded-sm font-mono text-note text-ink hover:text-accent lg:min-h-6"
      >
        <span className="sr-only">{`Copy ${what.toLowerCase()} ${text}`}</span>
        <span aria-hidden="true" className="text-left [overflow-wrap:anywhere]">
          {shortText(text)}
        </span>
        <Icon name="copy" className="size-3.5 shrink-0 text-soft" />
      </button>
      {text === shortText(text) ? null : (
        <span
          aria-hidden="true"
          className="pointer-events-none absolute left-0 top-full z-10 hidden w-max max-w-80 break-all rounded-control border border-line bg-surface px-2 py-1 font-mono text-note text-ink shadow-raised group-hover:block group-has-[:focus-visible]:block max-lg:left-auto max-lg:right-0"
        >
          {text}
        </span>
      )}
    </span>
  );
}
