import { addressOf, sendFile } from "../wire/api";
import { FileButton } from "./FileButton";
import { toast } from "../wire/toasts";

type Props = {
  ticket: string;
  /** The path that takes the file: the owner's or staff's. */
  path: string;
  /** Who can see it from now on. */
  seenBy: string;
  onSent: () => unknown;
  className?: string;
};

/** Puts a file into the conversation of a ticket. */
export const AttachButton = ({ ticket, path, seenBy, onSent, className = "px-4 text-[0.9375rem]" }: Props) => (
  <FileButton
    id={`file-${ticket}`}
    label="Attach a file"
    busy="Sending..."
    className={className}
    send={async (file) => {
      await sendFile(addressOf(path, { id: ticket }, { name: file.name.slice(-200) }), file);
      toast({ title: "File sent", description: seenBy });
      await onSent();
    }}
  />
);
