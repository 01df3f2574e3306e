import * as v from "valibot";
import { found, notFound, Refusal } from "../lib/refusal";
import type { AppContext } from "../platform/app_context";
import { Routes } from "../platform/http/routes";
import * as commands from "./commands_layouts";
import { layoutOf, layoutsOf } from "./queries_layouts";
import * as calls from "./schema_layouts";

/** A person's own chart layouts. */
export function layoutRoutes({ sql, ...app }: AppContext): Routes {
  return new Routes({ sql, ...app }, import.meta.path)
    .user(calls.listLayouts, ({ me }) => layoutsOf(sql, me.id))
    .user(calls.readLayout, async ({ me, params }) => readable(found(await layoutOf(sql, me.id, params.name)).layout))
    .user(calls.putLayout, ({ me, params, body }) => commands.put(sql, me.id, params.name, body))
    .user(calls.deleteLayout, async ({ me, params }) => {
      if (!(await commands.remove(sql, me.id, params.name))) throw notFound();
    });
}

/** What is stored, where it is still a layout. Refuses (conflict) what another release wrote, or nobody; a chart then shows its default. */
function readable(stored: unknown): calls.ChartLayout {
  const { success, output, issues } = v.safeParse(calls.layoutBody, stored);
  if (success) return output;
  const [issue] = issues;
  const field = v.getDotPath(issue) ?? "layout";
  const message = `This layout can't be read (${field}): the default is shown.`;
  throw new Refusal("conflict", message, { [field]: message });
}
