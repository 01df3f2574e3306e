import { Notice } from "../../views/ui/States";

/** Stands over a list that may be behind. */
export const LostNotice = () => (
  <Notice kind="warning" className="mb-2">
    The live connection is lost, so this list may be old. It is looked at every five seconds until the connection is back.
  </Notice>
);

/** Stands in the place of what did not come. */
export const FailedNotice = ({ what, again, className }: { what: string; again: () => Promise<void>; className: string }) => (
  <Notice kind="error" className={className}>
    {what} could not be loaded.{" "}
    <button type="button" className="font-medium text-accent underline underline-offset-2" onClick={() => void again()}>
      Try again
    </button>
  </Notice>
);
