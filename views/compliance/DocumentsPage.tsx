import type { ComponentProps } from "react";
import AdminDocuments from "../../islands/compliance/AdminDocuments";

/** The KYC tab: its list with the tools over it in one line. */
export const DocumentsPage = (list: ComponentProps<typeof AdminDocuments>) => <AdminDocuments {...list} />;
