import { type ChangeEvent, useState } from "react";
import { classes } from "../../views/ui/classes";
import { ApiError } from "../wire/api";
import { toast } from "../wire/toasts";

const MOST_BYTES = 5 * 1024 * 1024;
const TYPES = ["image/png", "image/jpeg", "image/webp", "application/pdf"];

type Props = {
  id: string;
  label: string;
  /** The label while the file travels. */
  busy: string;
  className: string;
  /** Sends the chosen file. A refusal becomes a toast. */
  send: (file: File) => Promise<void>;
};

/** Chooses a picture or a PDF and sends it at once. */
export function FileButton({ id, label, busy, className, send }: Props) {
  const [sending, setSending] = useState(false);
  const fail = (description: string) => toast({ title: "Upload Failed", description, variant: "destructive" });
  const pick = async ({ currentTarget: input }: ChangeEvent<HTMLInputElement>) => {
    const file = input.files?.[0];
    if (!file) return;
    // Emptied, so that the same file can be chosen again.
    const refuse = (why: string) => {
      input.value = "";
      fail(why);
    };
    if (!TYPES.includes(file.type)) return refuse("Only PNG, JPEG, WebP and PDF files can be sent.");
    if (file.size > MOST_BYTES) return refuse("The file may have at most 5 MB.");
    setSending(true);
    try {
      await send(file);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fail(error.message);
    } finally {
      setSending(false);
      input.value = "";
    }
  };
  return (
    <label
      htmlFor={id}
      className={classes(
        "js-only inline-flex min-h-11 items-center rounded-control border border-control font-medium hover:bg-sunken has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-accent",
        className,
      )}
    >
      {sending ? busy : label}
      <input id={id} type="file" accept={TYPES.join(",")} disabled={sending} onChange={(event) => void pick(event)} className="sr-only" />
    </label>
  );
}
