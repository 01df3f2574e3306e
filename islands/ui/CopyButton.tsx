import { useEffect, useRef, useState } from "react";
import { Icon } from "../../views/ui/Icon";
import { toast } from "../wire/toasts";

type Props = {
  text: string;
  /** What is copied: "Address", "Link". */
  what: string;
  /** How long the confirmation stands. */
  confirmMs?: number;
};

/** Copies a text and says so for a moment; where the browser refuses, says how else. */
export function CopyButton({ text, what, confirmMs = 2000 }: Props) {
  const [copied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      toast({ title: "Copy failed", description: `Please copy the ${what.toLowerCase()} manually`, variant: "destructive" });
      return;
    }
    toast({ title: "Copied!", description: `${what} Copied` });
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), confirmMs);
  };
  return (
    <button
      type="button"
      onClick={() => void copy()}
      aria-label={copied ? "Copied!" : `Copy ${what.toLowerCase()}`}
      data-copied={copied || undefined}
      className="js-only inline-flex size-11 items-center justify-center rounded-control text-soft hover:text-ink"
    >
      <Icon name={copied ? "check" : "copy"} className={copied ? "size-5 text-gain" : "size-5"} />
    </button>
  );
}
