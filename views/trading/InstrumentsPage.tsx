import AdminInstruments from "../../islands/trading/AdminInstruments";
import type { StaffInstrument } from "../../src/trading/schema_instruments";

/** How instruments are dealt, as the Settings tab shows it. */
export const InstrumentsPage = (props: { instruments: StaffInstrument[] }) => <AdminInstruments {...props} />;
