import type { User } from "../../src/identity/schema";
import type { PersonAction } from "../../views/identity/UserTable";
import { KycDialog } from "./KycDialog";
import { StandingDialog } from "./StandingDialog";

/** The dialog of an action about a person. */
export const PersonDialog = ({ action, user, onClose }: { action: PersonAction; user: User; onClose: () => void }) =>
  action === "kyc" ? <KycDialog user={user} onClose={onClose} /> : <StandingDialog action={action} user={user} onClose={onClose} />;
