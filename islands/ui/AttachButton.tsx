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
};

/** Puts a file into the conversation of a ticket. */
export const AttachButton = ({ ticket, path, seenBy, onSent }: Props) => (
  <FileButton
    id={`file-${ticket}`}
    label="Attach a file"
    busy="Sending..."
    className="px-4 text-[0.9375rem]"
    send={async (file) => {
      await sendFile(addressOf(path, { id: ticket }, { name: file.name.slice(-200) }), file);
      toast({ title: "File sent", description: seenBy });
      await onSent();
    }}
  />
);
