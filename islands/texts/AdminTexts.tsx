import { listTexts, previewText, publishBody, publishText, readText, type StaffText, type TextPage, type TextVersion } from "../../src/texts/schema";
import { TEXT_NAMES } from "../../views/texts/words";
import { Field, SelectField, TextField } from "../../views/ui/Field";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { useRead } from "../ui/read_once";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { fieldText, Loading, PageSeen, Preview } from "./text_parts";

type Asked = { deed: "publish" | "versions"; page: TextPage };
const minuteOf = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** The pages whose text may be the operator's own, and the ways to publish another. */
export function AdminTexts({ texts, mayChange }: { texts: StaffText[]; mayChange: boolean }) {
  const { value } = useLive(texts, () => call(listTexts), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const columns: Column<StaffText>[] = [
    {
      key: "page",
      title: "Page",
      lead: true,
      cell: ({ page }) => (
        <a href={`/${page}`} className="text-accent underline underline-offset-2">
          {TEXT_NAMES[page]}
        </a>
      ),
    },
    {
      key: "version",
      title: "Holds now",
      cell: ({ version, since }) => (version === null ? "The program's own text" : `Version ${version}, since ${minuteOf(since ?? "")}`),
    },
    {
      key: "next",
      title: "Waits",
      cell: ({ nextVersion, nextSince }) => (nextVersion === null ? null : `Version ${nextVersion}, from ${minuteOf(nextSince ?? "")}`),
    },
    {
      key: "accepted",
      title: "Accepted by",
      numeric: true,
      cell: ({ page, version, accepted }) => (page === "terms" && version !== null ? accepted.toLocaleString("en") : null),
    },
    {
      key: "deed",
      title: "Actions",
      numeric: true,
      cell: ({ page, version, nextVersion }) => (
        <VersionedDeeds
          of={TEXT_NAMES[page]}
          change="Write"
          onChange={mayChange ? () => ask({ deed: "publish", page }) : null}
          onVersions={version === null && nextVersion === null ? null : () => ask({ deed: "versions", page })}
        />
      ),
    },
  ];
  return (
    <section aria-labelledby="texts">
      <h2 id="texts" className="mb-2 text-product font-semibold">
        Texts
      </h2>
      <p className="mb-2 text-table text-soft">Each version is kept, with who wrote it and why, and stays readable under its number.</p>
      <Table caption="Texts" columns={columns} rows={value} rowKey={({ page }) => page} />
      {asked?.deed === "publish" ? <PublishDialog page={asked.page} onClose={close} /> : null}
      {asked?.deed === "versions" ? <TextVersions page={asked.page} onClose={close} /> : null}
    </section>
  );
}

type Read = { own: string | null; versions: TextVersion[] };

const HINT: Partial<Record<TextPage, string>> = {
  faq: "A category is a line '## …', a question a line '### …' with its answer below.",
};

function PublishDialog({ page, onClose }: { page: TextPage; onClose: () => void }) {
  const { read, again } = useRead<Read>(() => call(readText, undefined, { params: { page } }));
  const title = `Write ${TEXT_NAMES[page]}`;
  if (read === null || read === "failed") return <Loading id="text" {...{ title, again, onClose }} failed={read === "failed"} />;
  const first = read.versions[0]?.body ?? read.own ?? "";
  return (
    <ActionDialog
      id="text"
      title={title}
      consequence="The page shows it from the instant on that you say. Earlier versions stay readable."
      schema={publishBody}
      names={["body", "mustAccept", "effectiveAt", "reason"]}
      mends
      fields={(messages) => (
        <>
          <TextField
            id="text-body"
            name="body"
            label="Text, as Markdown"
            hint={HINT[page] ?? "A part is a line '## …'; an empty line ends a paragraph; **bold**; [words](/address)."}
            rows={14}
            maxLength={40_000}
            defaultValue={first}
            error={messages.body}
          />
          <Preview of={() => call(previewText, { body: fieldText("text-body") }, { params: { page } })}>{(seen) => <PageSeen {...seen} />}</Preview>
          {page === "terms" ? (
            <SelectField id="text-mustAccept" name="mustAccept" label="Everybody is asked to accept it" defaultValue="yes" error={messages.mustAccept}>
              <option value="yes">Yes</option>
              <option value="no">No, it changes nothing that counts</option>
            </SelectField>
          ) : null}
          <Field id="text-effectiveAt" name="effectiveAt" type="datetime-local" label="Holds from (UTC)" hint="Empty: at once." error={messages.effectiveAt} />
          <TextField id="text-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="Publish"
      busy="Publishing..."
      send={async (body) => {
        const made = await call(publishText, body, { params: { page } });
        toast({ title: `${TEXT_NAMES[page]}: version ${made.version} is published` });
      }}
      onClose={onClose}
    />
  );
}

const TextVersions = ({ page, onClose }: { page: TextPage; onClose: () => void }) => (
  <VersionsDialog
    id="text-versions"
    of={TEXT_NAMES[page]}
    ask={async () => (await call(readText, undefined, { params: { page } })).versions}
    said={({ version, since, mustAccept }) => (
      <>
        <a href={`/${page}?version=${version}`} className="text-accent underline underline-offset-2">
          From {minuteOf(since)}
        </a>
        {mustAccept ? ", to be accepted" : ""}
      </>
    )}
    made={({ administrator, reason }) => `${administrator ?? "Somebody"}: ${reason}`}
    onClose={onClose}
  />
);

export default island("AdminTexts", AdminTexts);
