import { Notice } from "../../views/ui/States";

/** Stands at the foot of the screen while a list may be behind: in no list's way, so that no row moves when the line goes and comes. */
export const LostNotice = () => (
  <Notice kind="warning" className="fixed bottom-4 left-4 z-30 max-w-[min(28rem,calc(100vw-2rem))] shadow-raised max-md:bottom-20">
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
