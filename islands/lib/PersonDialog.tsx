import type { User } from "../../src/identity/schema";
import type { PersonDeed } from "../../views/admin/UserTable";
import { KycDialog } from "./KycDialog";
import { StandingDialog } from "./StandingDialog";

/** The dialog of a deed about a person. */
export const PersonDialog = ({ deed, user, onClose }: { deed: PersonDeed; user: User; onClose: () => void }) =>
  deed === "kyc" ? <KycDialog user={user} onClose={onClose} /> : <StandingDialog deed={deed} user={user} onClose={onClose} />;
