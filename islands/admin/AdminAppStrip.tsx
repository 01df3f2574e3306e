import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { type Pulse, type pulseEvent, type Realtime } from "../../src/admin/schema_app";
import { myStream } from "../../src/portal/schema";
import { AppStrip } from "../../views/admin/AppStrip";
import { useProofPrompt } from "../identity/proof";
import { island } from "../runtime/island";
import { unread, useNews } from "../notifications/news";
import { listen } from "../wire/stream";

/** The figures at the app's head, as the stream tells them. */
export function AdminAppStrip({ first }: { first: Realtime }) {
  useSignals();
  const here = useNews();
  useProofPrompt();
  const [pulse, setPulse] = useState<Pulse>(first);
  useEffect(() => listen<{ [pulseEvent]: Pulse }>(myStream.path, { realtime: setPulse }), []);
  return <AppStrip {...pulse} alerts={here ? (unread.value ?? first.alerts) : first.alerts} />;
}

export default island("AdminAppStrip", AdminAppStrip);
