import { useSignals } from "@preact/signals-react/runtime";
import { useEffect, useState } from "react";
import { type Pulse, type pulseEvent, type Realtime } from "../src/admin/schema_app";
import { myStream } from "../src/portal/schema";
import { AppStrip } from "../views/admin_app/AppStrip";
import { island } from "./lib/island";
import { unread, useNews } from "./lib/news";
import { listen } from "./lib/stream";

/** The figures at the app's head, as the stream tells them. */
export function AdminAppStrip({ first }: { first: Realtime }) {
  useSignals();
  const here = useNews();
  const [pulse, setPulse] = useState<Pulse>(first);
  useEffect(() => listen<{ [pulseEvent]: Pulse }>(myStream.path, { realtime: setPulse }), []);
  return <AppStrip {...pulse} alerts={here ? (unread.value ?? first.alerts) : first.alerts} />;
}

export default island("AdminAppStrip", AdminAppStrip);
