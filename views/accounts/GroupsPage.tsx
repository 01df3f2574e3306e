import AdminGroups from "../../islands/accounts/AdminGroups";
import type { NoticeHours } from "../../src/admin/schema";
import type { GroupVersion } from "../../src/accounts/schema_groups";

/** What groups cost and give, as the Settings tab shows it. */
export const GroupsPage = (props: { versions: GroupVersion[]; notice: NoticeHours }) => <AdminGroups {...props} />;
