import type { ComponentProps } from "react";
import { ExportLink } from "../ui/staff/Filters";
import AdminVisitors from "../../islands/admin/AdminVisitors";

/** The Visitors tab, of the control panel and of the app. */
export const VisitorsPage = (props: ComponentProps<typeof AdminVisitors>) => (
  <>
    <div className="flex justify-end">
      <ExportLink path="/api/admin/visitors" query={{}} />
    </div>
    <AdminVisitors {...props} />
  </>
);
