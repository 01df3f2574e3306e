import { Notice } from "../../views/ui/States";

/** Stands over a list that could not be brought up to date. */
export const LostNotice = () => (
  <Notice kind="warning" className="mb-2">
    The connection is lost, so this list may be old. It is tried again every five seconds.
  </Notice>
);
