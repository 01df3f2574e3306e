import type { ComponentProps } from "react";
import { Pager } from "../ui/staff/Filters";
import AdminVisitors from "../../islands/admin/AdminVisitors";

/** The Visitors tab, of the control panel and of the app; `next`: where the list of days that were asked for goes on. */
export const VisitorsPage = ({ next = null, ...props }: ComponentProps<typeof AdminVisitors> & { next?: string | null }) => (
  <>
    <AdminVisitors {...props} />
    {props.past ? <Pager at={props.query.at ?? ""} query={{ from: props.query.from, to: props.query.to, cursor: props.query.cursor }} next={next} /> : null}
  </>
);
