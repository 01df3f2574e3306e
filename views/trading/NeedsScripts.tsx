import { Notice } from "../ui/States";

/** Where an order panel is, for a browser without scripts. */
export const NeedsScripts = () => (
  <noscript>
    <Notice>Placing an order needs JavaScript, because prices move while you look at them.</Notice>
  </noscript>
);
