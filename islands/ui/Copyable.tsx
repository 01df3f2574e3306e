import { shortText } from "../../views/ui/staff/amounts";
import { Icon } from "../../views/ui/Icon";
import { toast } from "../wire/toasts";

/** Within a sentence: "Transaction hash" is transaction hash, and "IBAN" stays as it is. */
const within = (what: string) => what.replace(/[A-Z][a-z]+/g, (word) => word.toLowerCase());

/** A long text, shortened; whole under the pointer and the focus; a press copies it. `what` names it ("Address"). */
export function Copyable({ text, what }: { text: string; what: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied!", description: `${what} Copied` });
    } catch {
      toast({ title: "Copy failed", description: `Please copy the ${within(what)} manually`, variant: "destructive" });
    }
  };
  return (
    <button
      type="button"
      data-tip={text === shortText(text) ? undefined : text}
      onClick={() => void copy()}
      className="inline-flex min-h-11 max-w-full items-center gap-1 rounded-sm align-middle font-mono max-lg:-my-3 text-note text-ink hover:text-accent lg:min-h-5"
    >
      <span className="sr-only">{`Copy ${within(what)} ${text}`}</span>
      <span aria-hidden="true" className="min-w-0 overflow-hidden text-left text-ellipsis [overflow-wrap:anywhere]">
        {shortText(text)}
      </span>
      <Icon name="copy" className="size-3.5 shrink-0 text-soft" />
    </button>
  );
}
