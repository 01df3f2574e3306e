import type { ComponentProps } from "react";
import AdminVisitors from "../../islands/AdminVisitors";

/** The Visitors tab, of the control panel and of the app. */
export const VisitorsPage = (props: ComponentProps<typeof AdminVisitors>) => <AdminVisitors {...props} />;
