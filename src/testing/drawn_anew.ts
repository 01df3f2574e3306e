import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { drawer } from "../lib/drawer";

/** Does `work` while each island and each part of one is drawn for its reader alone, and nothing that was drawn before is used. */
export async function drawnAnew<T>(work: () => Promise<T>): Promise<T> {
  if (!drawer) throw new Error("no drawer is set: open an app first");
  const { kept, draw } = drawer;
  drawer.kept = (Component, props) => createElement(Component, props);
  drawer.draw = (Component, props) => renderToString(createElement(Component, props));
  try {
    return await work();
  } finally {
    Object.assign(drawer, { kept, draw });
  }
}
