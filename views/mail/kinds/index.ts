import type { LetterKind } from "../../../src/mail/rules";
import type { Writer, Writers } from "../letter";
import { accountClosed } from "./account_closed";
import { accountFrozen } from "./account_frozen";
import { checkpoint } from "./checkpoint";
import { confirmEmail } from "./confirm_email";
import { countryChanged } from "./country_changed";
import { correction } from "./correction";
import { depositAsked } from "./deposit_asked";
import { depositDecided } from "./deposit_decided";
import { dispute } from "./dispute";
import { documentDecided } from "./document_decided";
import { documentEnds } from "./document_ends";
import { emailChanged } from "./email_changed";
import { exportReady } from "./export_ready";
import { factorAdded } from "./factor_added";
import { factorRemoved } from "./factor_removed";
import { marginCall } from "./margin_call";
import { newDevice } from "./new_device";
import { passwordChanged } from "./password_changed";
import { payoutAddress } from "./payout_address";
import { registrationDecided } from "./registration_decided";
import { resetPassword } from "./reset_password";
import { statement } from "./statement";
import { stopOut } from "./stop_out";
import { test } from "./test";
import { ticketAnswered } from "./ticket_answered";
import { verifyEmail } from "./verify_email";
import { withdrawalAsked } from "./withdrawal_asked";
import { withdrawalDecided } from "./withdrawal_decided";

const WRITERS: Writers = {
  verify_email: verifyEmail,
  confirm_email: confirmEmail,
  reset_password: resetPassword,
  new_device: newDevice,
  email_changed: emailChanged,
  password_changed: passwordChanged,
  factor_added: factorAdded,
  factor_removed: factorRemoved,
  payout_address: payoutAddress,
  account_frozen: accountFrozen,
  registration_decided: registrationDecided,
  country_changed: countryChanged,
  document_decided: documentDecided,
  document_ends: documentEnds,
  export_ready: exportReady,
  account_closed: accountClosed,
  deposit_asked: depositAsked,
  deposit_decided: depositDecided,
  withdrawal_asked: withdrawalAsked,
  withdrawal_decided: withdrawalDecided,
  margin_call: marginCall,
  stop_out: stopOut,
  correction,
  dispute,
  ticket_answered: ticketAnswered,
  statement,
  checkpoint,
  test,
};

export const writerOf = (kind: LetterKind): Writer => WRITERS[kind];
