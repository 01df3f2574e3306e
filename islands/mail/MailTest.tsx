import { useState } from "react";
import { sendTest } from "../../src/mail/schema";
import { Button } from "../../views/ui/Button";
import { Field } from "../../views/ui/Field";
import { Notice } from "../../views/ui/States";
import { island } from "../runtime/island";
import { UnsaidNotice } from "../ui/UnsaidNotice";
import { call } from "../wire/api";
import { useForm } from "../wire/form";
import { toast } from "../wire/toasts";

/** Sends a letter at once and shows what the mail server said. */
export function MailTest({ address }: { address: string }) {
  const [said, setSaid] = useState<{ delivered: boolean; answer: string } | null>(null);
  const { messages, unsaid, pending, form } = useForm({
    schema: sendTest.body,
    names: ["address"],
    after: "again",
    send: async (value) => {
      setSaid(null);
      setSaid(await call(sendTest, value));
    },
    onFailure: ({ message }) => toast({ title: "Nothing was sent", description: message, variant: "destructive" }),
  });
  return (
    <form {...form} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <Field id="test-address" name="address" type="email" label="Send a test to" defaultValue={address} maxLength={254} error={messages.address} />
        </div>
        <Button type="submit" className="js-only" disabled={pending}>
          {pending ? "Sending..." : "Send a test"}
        </Button>
      </div>
      <UnsaidNotice of={unsaid} />
      <div role="status">
        {said ? (
          <Notice kind={said.delivered ? "success" : "error"} title={said.delivered ? "The mail server took it" : "It was not sent"}>
            <code className="[overflow-wrap:anywhere]">{said.answer}</code>
          </Notice>
        ) : null}
      </div>
    </form>
  );
}

export default island("MailTest", MailTest);
