import type { ReactNode } from "react";
import { pairs, palette, type Token } from "../palette";
import { Badge, statusTone } from "../ui/Badge";
import { Button, ButtonLink } from "../ui/Button";
import { Field, FieldMessage, SelectField, TextField } from "../ui/Field";
import { Icon, iconNames } from "../ui/Icon";
import { PageIcon, pageIconNames } from "../ui/PageIcon";
import { FormTemplates, Optional, PlainEmailField, PlainPasswordField } from "../ui/PlainForm";
import { QrCode } from "../ui/QrCode";
import { SampleMark } from "../ui/SampleMark";

/** The style guide's first half: what everything else is made of. */

export type Theme = keyof typeof palette;
export const Row = ({ children }: { children: ReactNode }) => <div className="flex flex-wrap items-center gap-4">{children}</div>;

/** Written out, because the style sheet is made from the text. */
const GROUNDS: Record<Token, string> = {
  paper: "bg-paper",
  surface: "bg-surface",
  sunken: "bg-sunken",
  ink: "bg-ink",
  soft: "bg-soft",
  line: "bg-line",
  control: "bg-control",
  accent: "bg-accent",
  "on-accent": "bg-on-accent",
  "accent-soft": "bg-accent-soft",
  gain: "bg-gain",
  "gain-soft": "bg-gain-soft",
  loss: "bg-loss",
  "loss-soft": "bg-loss-soft",
  warn: "bg-warn",
  "warn-soft": "bg-warn-soft",
};
const usesOf = (token: Token) => pairs.find(({ text }) => text === token)?.on.join(", ");

export const Tokens = ({ theme }: { theme: Theme }) => (
  <ul className="grid grid-cols-1 gap-x-6 gap-y-3 sm:grid-cols-2">
    {(Object.keys(GROUNDS) as Token[]).map((token) => (
      <li key={token} className="flex items-center gap-3 text-table">
        <span className={`size-10 shrink-0 rounded-control border border-control ${GROUNDS[token]}`} />
        <span className="min-w-0">
          <span className="font-semibold">{token}</span> <span className="text-soft">{palette[theme][token]}</span>
          {usesOf(token) ? <span className="block text-note text-soft">on {usesOf(token)}</span> : null}
        </span>
      </li>
    ))}
  </ul>
);

const TYPES: [className: string, text: string][] = [
  ["font-serif text-display", "Display"],
  ["font-serif text-section", "Section"],
  ["font-serif text-title", "Title"],
  ["text-heading font-semibold", "Heading"],
  ["text-public", "Public text, 17 px: a halyard hoists the sail."],
  ["text-base", "Controls, 16 px"],
  ["text-product", "Product text, 14 px: what a screen says."],
  ["text-table", "Tables, 13 px: 1,234.56"],
  ["text-note text-soft", "Notes, 12 px, never smaller"],
];
export const Types = () => (
  <div className="flex flex-col gap-3">
    {TYPES.map(([className, text]) => (
      <p key={text} className={className}>
        {text}
      </p>
    ))}
  </div>
);

const VARIANTS = ["primary", "secondary", "quiet", "buy", "sell", "danger"] as const;
export const Buttons = () => (
  <div className="flex flex-col gap-4">
    <Row>
      {VARIANTS.map((variant) => (
        <Button key={variant} variant={variant}>
          {variant}
        </Button>
      ))}
    </Row>
    <Row>
      {VARIANTS.map((variant) => (
        <Button key={variant} variant={variant} disabled>
          {variant}
        </Button>
      ))}
    </Row>
    <Row>
      <Button size="small">Small</Button>
      <Button>Normal</Button>
      <Button size="large">
        <Icon name="plus" />
        Large, with an icon
      </Button>
      <ButtonLink href="#" variant="secondary">
        A link
      </ButtonLink>
    </Row>
    <Button wide>Wide</Button>
  </div>
);

export const Fields = ({ theme }: { theme: Theme }) => (
  <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
    <Field
      id={`${theme}-empty`}
      label={
        <>
          Empty <Optional />
        </>
      }
      placeholder="Placeholder"
      hint="A hint says what helps."
    />
    <Field id={`${theme}-filled`} label="Filled" defaultValue="1,000.00" inputMode="decimal" />
    <Field id={`${theme}-wrong`} label="With a message" defaultValue="ten" error="Enter an amount in dollars and cents, such as 250.00." />
    <Field id={`${theme}-off`} label="Disabled" defaultValue="Not now" disabled />
    <SelectField id={`${theme}-select`} label="Choice" defaultValue="btc">
      <option value="btc">BTC</option>
      <option value="eth">ETH</option>
    </SelectField>
    <SelectField id={`${theme}-select-wrong`} label="Choice, with a message" error="Currency is required">
      <option value="">Select</option>
    </SelectField>
    <PlainEmailField id={`${theme}-email`} label="Email address" autoComplete="off" />
    <PlainPasswordField id={`${theme}-secret`} label="Password" autoComplete="off" />
    <div>
      <FieldMessage>A message that stands alone.</FieldMessage>
      <FormTemplates />
    </div>
    <TextField id={`${theme}-text`} label="Text" rows={3} defaultValue="Several lines." />
    <TextField id={`${theme}-text-wrong`} label="Text, with a message" rows={3} error="Message is required" />
  </div>
);

const STATUSES = ["active", "approved", "open", "pending", "closed", "suspended", "banned", "rejected"];
export const Badges = () => (
  <div className="flex flex-col gap-4">
    <Row>
      {(["default", "secondary", "destructive", "gain", "warning"] as const).map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
      <SampleMark />
    </Row>
    <QrCode text="https://halyard.example" label="QR code of an address" className="size-32" />
    <Row>
      {STATUSES.map((status) => (
        <Badge key={status} tone={statusTone(status)}>
          {status}
        </Badge>
      ))}
    </Row>
  </div>
);

export const Icons = () => (
  <ul className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-4" data-icons="">
    {iconNames.map((name) => (
      <li key={name} className="flex flex-col items-center gap-1.5 text-note text-soft">
        <Icon name={name} className="size-6 text-ink" />
        {name}
      </li>
    ))}
    {pageIconNames.map((name) => (
      <li key={name} className="flex flex-col items-center gap-1.5 text-note text-soft">
        <PageIcon name={name} className="size-6 text-ink" />
        {name}
      </li>
    ))}
  </ul>
);
