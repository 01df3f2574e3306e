import { Notice } from "../../views/ui/States";

/** Stands over the button where a colleague has answered since the draft was begun. */
export const BesideNotice = ({ author }: { author: string }) => (
  <Notice kind="warning">{author} has answered since you began to write. Read it first; send again if yours is still needed.</Notice>
);
