import { useState } from "react";
import { type ChosenTopic, chooseNotices, type EmailTopic, type NoticeChoices as Choices } from "../../src/identity/schema_notices";
import { Panel } from "../../views/ui/Card";
import { call } from "../wire/api";
import { attempt } from "../wire/attempt";
import { island } from "../runtime/island";
import { toast } from "../wire/toasts";

const TOPICS: { topic: ChosenTopic; label: string; text: string }[] = [
  { topic: "trades", label: "Trades", text: "Stop loss or take profit reached, a waiting order filled or cancelled" },
  { topic: "margin", label: "Margin", text: "Margin calls and stop-outs" },
  { topic: "money", label: "Money", text: "Deposits and withdrawals decided, bonuses and referrals paid" },
  { topic: "support", label: "Support", text: "Answers to your tickets, and messages in the chat" },
];

const LETTERS: { topic: EmailTopic; label: string; text: string }[] = [
  { topic: "money", label: "Money", text: "Deposits and withdrawals, asked for and decided" },
  { topic: "margin", label: "Margin", text: "Margin calls and stop-outs" },
  { topic: "trades", label: "Corrections", text: "A position settled by an administrator, and your objection to it" },
  { topic: "support", label: "Support", text: "Answers to your tickets" },
  { topic: "statements", label: "Statements", text: "That the statement of a month is ready" },
];

/** Which notices a person is shown, and which come by letter; each choice is kept at once. */
export function NoticeChoices({ choices: first }: { choices: Choices }) {
  const [choices, setChoices] = useState(first);
  const [busy, setBusy] = useState(false);
  const choose = async (topic: ChosenTopic, label: string, wanted: boolean) => {
    const before = choices;
    setBusy(true);
    setChoices({ ...before, [topic]: wanted });
    const kept = await attempt("Error", () => call(chooseNotices, { [topic]: wanted }));
    setBusy(false);
    setChoices(kept ?? before);
    if (!kept) return;
    toast({ title: "Notifications saved", description: `${label} notices are ${kept[topic] ? "shown" : "not shown any more"}.` });
  };
  const chooseLetter = async (topic: EmailTopic, label: string, wanted: boolean) => {
    const before = choices;
    setBusy(true);
    setChoices({ ...before, email: { ...before.email, [topic]: wanted } });
    const kept = await attempt("Error", () => call(chooseNotices, { email: { [topic]: wanted } }));
    setBusy(false);
    setChoices(kept ?? before);
    if (!kept) return;
    toast({ title: "Notifications saved", description: `${label} letters are ${kept.email[topic] ? "sent" : "not sent any more"}.` });
  };
  return (
    <Panel title="Notifications" id="notifications">
      <fieldset disabled={busy} className="flex flex-col divide-y divide-line">
        <legend className="mb-2 text-soft">What you are told while you are signed in. It changes nothing about your trades or your history.</legend>
        {TOPICS.map(({ topic, label, text }) => (
          <Choice key={topic} id={topic} label={label} text={text} checked={choices[topic]} onChange={(wanted) => void choose(topic, label, wanted)} />
        ))}
        <Choice id="security" label="Security" text="Sign-ins, and corrections by an administrator: these are always shown" checked />
      </fieldset>
      <fieldset disabled={busy} className="mt-6 flex flex-col divide-y divide-line">
        <legend className="mb-2 text-soft">What comes by letter, to your email address.</legend>
        {LETTERS.map(({ topic, label, text }) => (
          <Choice
            key={topic}
            id={`email-${topic}`}
            label={`${label} by letter`}
            text={text}
            checked={choices.email[topic]}
            onChange={(wanted) => void chooseLetter(topic, label, wanted)}
          />
        ))}
        <Choice
          id="email-security"
          label="Security by letter"
          text="New devices, changes of address, password and sign-in, and your registration: these are always sent"
          checked
        />
      </fieldset>
    </Panel>
  );
}

type ChoiceProps = { id: string; label: string; text: string; checked: boolean; onChange?: (wanted: boolean) => void };

const Choice = ({ id, label, text, checked, onChange }: ChoiceProps) => (
  <div className="relative flex min-h-11 items-start gap-3 py-2.5">
    <input
      id={`notice-${id}`}
      type="checkbox"
      checked={checked}
      disabled={!onChange}
      readOnly={!onChange}
      onChange={(event) => onChange?.(event.target.checked)}
      aria-describedby={`notice-${id}-text`}
      className="relative z-1 mt-0.5 size-5 shrink-0 accent-accent"
    />
    <div>
      <label htmlFor={`notice-${id}`} className="block font-medium before:absolute before:inset-0 before:content-empty">
        {label}
      </label>
      <span id={`notice-${id}-text`} className="block text-table text-soft">
        {text}
      </span>
    </div>
  </div>
);

export default island("NoticeChoices", NoticeChoices, { when: "idle", shared: true });
