import { type ReactNode, useState } from "react";
import * as v from "valibot";
import {
  brandBody,
  type BrandNow,
  type BrandVersion,
  changeBrand,
  changePicture,
  listBrandVersions,
  type PictureKind,
  readBrand,
} from "../../src/texts/schema_brand";
import { accentFault, accentTokens } from "../../views/brand_colours";
import { palette } from "../../views/palette";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { PartHead } from "../../views/ui/staff/PartHead";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { FileButton } from "../ui/FileButton";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { addressOf, call, sendFile } from "../wire/api";
import { toast } from "../wire/toasts";

type Asked = { deed: "change" | "versions" } | { deed: "picture"; kind: PictureKind; file: File } | { deed: "own"; kind: PictureKind };
const NAMES = { logo: "Logo", icon: "Icon" } as const;
const PLACES = {
  logo: "In the header and at the foot of each page.",
  icon: "In tabs, bookmarks and on a phone's screen: a square of at least 192 pixels.",
} as const;
const MODES = [
  ["accentLight", "light", "Accent by day"],
  ["accentDark", "dark", "Accent by night"],
] as const;

/** The house's name, colours and pictures, and the ways to change them. */
export function AdminBrand({ brand, mayChange }: { brand: BrandNow; mayChange: boolean }) {
  const { value } = useLive(brand, () => call(readBrand), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  return (
    <section aria-labelledby="brand">
      <PartHead id="brand" title="Brand" lead="Name, colours and pictures of the house, on every page and letter, within seconds of a change.">
        <VersionedDeeds of="the brand" onChange={mayChange ? () => ask({ deed: "change" }) : null} onVersions={() => ask({ deed: "versions" })} />
      </PartHead>
      <dl className="grid max-w-3xl gap-x-6 gap-y-4 sm:grid-cols-2">
        <Fact title="Name">{value.name}</Fact>
        <Fact title="Letters come from">{value.sender || "The name in MAIL_FROM, or else this name"}</Fact>
        {MODES.map(([field, mode, title]) => (
          <Fact key={field} title={title}>
            <Sample accent={value[field] ?? palette[mode].accent} mode={mode} />
            {value[field] ?? `${palette[mode].accent}, the program's own`}
          </Fact>
        ))}
        {(["logo", "icon"] as const).map((kind) => (
          <Fact key={kind} title={NAMES[kind]}>
            {value[kind] ? (
              <img src={value[kind]} alt={NAMES[kind]} loading="lazy" className="mb-2 h-12 w-auto max-w-60 object-contain" />
            ) : (
              "The program's own"
            )}
            <span className="block text-table text-soft">{PLACES[kind]}</span>
            {mayChange ? (
              <span className="mt-2 flex flex-wrap gap-2">
                <FileButton
                  id={`brand-${kind}`}
                  label={`Choose ${kind === "logo" ? "a logo" : "an icon"}`}
                  busy="Reading..."
                  className="px-3 text-table"
                  send={async (file) => ask({ deed: "picture", kind, file })}
                />
                {value[kind] ? (
                  <Button variant="secondary" size="small" className="js-only" onClick={() => ask({ deed: "own", kind })}>
                    Back to the program's
                  </Button>
                ) : null}
              </span>
            ) : null}
          </Fact>
        ))}
      </dl>
      {asked?.deed === "change" ? <ChangeDialog brand={value} onClose={close} /> : null}
      {asked?.deed === "picture" ? <PictureDialog kind={asked.kind} file={asked.file} version={value.version} onClose={close} /> : null}
      {asked?.deed === "own" ? <OwnDialog kind={asked.kind} version={value.version} onClose={close} /> : null}
      {asked?.deed === "versions" ? <Versions onClose={close} /> : null}
    </section>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="min-w-0 [overflow-wrap:anywhere]">
    <dt className="text-table text-soft">{title}</dt>
    <dd>{children}</dd>
  </div>
);

/** An accent as it looks in its theme: as a link on the page, and as a button. Drawn, since the page's policy takes no style of an element. */
function Sample({ accent, mode }: { accent: string; mode: "light" | "dark" }) {
  const own = accentTokens(accent, mode);
  return (
    <svg viewBox="0 0 124 32" className="mr-2 inline-block h-8 w-31 align-middle" aria-hidden="true">
      <rect x="0.5" y="0.5" width="123" height="31" rx="6" fill={palette[mode].paper} stroke={palette[mode].line} />
      <text x="12" y="20.5" fontSize="13" fill={own.accent} textDecoration="underline">
        Link
      </text>
      <rect x="52" y="4" width="66" height="24" rx="5" fill={own.accent} />
      <text x="85" y="20.5" fontSize="13" textAnchor="middle" fill={own["on-accent"]}>
        Button
      </text>
    </svg>
  );
}

type Words = Record<string, string>;
const ReasonField = ({ messages }: { messages: Words }) => (
  <TextField id="brand-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
);

function ChangeDialog({ brand, onClose }: { brand: BrandNow; onClose: () => void }) {
  return (
    <ActionDialog
      id="brand-change"
      title="Change the brand"
      consequence="Pages and letters follow within seconds."
      mends
      schema={brandBody}
      names={["name", "sender", "accentLight", "accentDark", "reason", "version"]}
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={brand.version} />
          <Field id="brand-name" name="name" label="Name" hint="As every page says it." defaultValue={brand.name} maxLength={40} error={messages.name} />
          <Field
            id="brand-sender"
            name="sender"
            label="Letters come from"
            hint="A name before the address of MAIL_FROM. Empty: the name there, or the one above."
            defaultValue={brand.sender}
            maxLength={60}
            error={messages.sender}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            {MODES.map(([field, mode, title]) => (
              <AccentField key={field} {...{ field, mode, title }} given={brand[field]} error={messages[field]} />
            ))}
          </div>
          <ReasonField messages={messages} />
        </>
      )}
      submit="Change"
      busy="Changing..."
      send={async (body) => {
        await call(changeBrand, body);
        toast({ title: "The brand was changed" });
      }}
      onClose={onClose}
    />
  );
}

type AccentProps = { field: "accentLight" | "accentDark"; mode: "light" | "dark"; title: string; given: string | null; error: string | undefined };
/** Says at once how a colour looks, and where it can't be read; saving decides again. */
function AccentField({ field, mode, title, given, error }: AccentProps) {
  const [written, write] = useState(given ?? "");
  const colour = written.trim().toLowerCase() || palette[mode].accent;
  const isColour = /^#[0-9a-f]{6}$/.test(colour);
  const fault = isColour ? accentFault(colour, mode) : null;
  return (
    <div>
      <Field
        id={`brand-${field}`}
        name={field}
        label={title}
        hint="As #0b5fcc. Empty: the program's own."
        defaultValue={written}
        maxLength={7}
        onChange={(event) => write(event.currentTarget.value)}
        error={error ?? (fault ? `Choose another colour: ${fault}.` : undefined)}
      />
      <div className="mt-2">{isColour ? <Sample accent={colour} mode={mode} /> : null}</div>
    </div>
  );
}

const onlyReason = v.object({ reason: brandBody.entries.reason });
type PictureProps = { kind: PictureKind; version: number; onClose: () => void };

const PictureDialog = ({ kind, file, version, onClose }: PictureProps & { file: File }) => (
  <ActionDialog
    id="brand-picture"
    title={`Use this as the ${kind}`}
    consequence={`${file.name} is drawn anew at its place's size. ${PLACES[kind]}`}
    mends
    schema={onlyReason}
    names={["reason"]}
    fields={(messages) => <ReasonField messages={messages} />}
    submit={`Use as ${kind}`}
    busy="Sending..."
    send={async ({ reason }) => {
      await sendFile(addressOf(changePicture.path, {}, { kind, version: String(version), reason }), file);
      toast({ title: `The ${kind} was changed` });
    }}
    onClose={onClose}
  />
);

const OwnDialog = ({ kind, version, onClose }: PictureProps) => (
  <ActionDialog
    id="brand-own"
    title={`Back to the program's ${kind}`}
    consequence="Pages show the program's own again within seconds."
    mends
    schema={onlyReason}
    names={["reason"]}
    fields={(messages) => <ReasonField messages={messages} />}
    submit="Take it back"
    busy="Changing..."
    send={async ({ reason }) => {
      await call(changeBrand, { version, reason, [kind]: null });
      toast({ title: `The ${kind} was taken back` });
    }}
    onClose={onClose}
  />
);

const picturesOf = ({ logo, icon }: BrandVersion) => [logo ? "a logo of its own" : "", icon ? "an icon of its own" : ""].filter(Boolean).join(", ");
const Versions = ({ onClose }: { onClose: () => void }) => (
  <VersionsDialog
    id="brand-versions"
    of="The brand"
    ask={() => call(listBrandVersions)}
    said={(version) => (
      <>
        {version.name}
        <span className="block text-table font-normal">
          {[version.accentLight ?? "", version.accentDark ?? "", picturesOf(version)].filter(Boolean).join(", ") || "The program's colours and pictures"}
        </span>
      </>
    )}
    made={({ createdAt, administrator, reason }) => `${instantText(createdAt)} UTC, by ${administrator ?? "somebody"}: ${reason}`}
    onClose={onClose}
  />
);

export default island("AdminBrand", AdminBrand);
