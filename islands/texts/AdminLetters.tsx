import {
  letterBody,
  type LetterRead,
  listLetterTexts,
  previewLetterText,
  readLetterText,
  type StaffLetter,
  writeLetterText,
} from "../../src/texts/schema_letters";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { instantText } from "../../views/ui/instant";
import { PartHead } from "../../views/ui/staff/PartHead";
import { type Column, Table } from "../../views/ui/Table";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { useRead } from "../ui/read_once";
import { VersionedDeeds, VersionsDialog } from "../ui/VersionsDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";
import { fieldText, LetterSeen, Loading, Preview } from "./text_parts";

type Asked = { deed: "write" | "versions"; row: StaffLetter };

/** The letters whose words may be the operator's own, and the ways to write others. */
export function AdminLetters({ letters, mayChange }: { letters: StaffLetter[]; mayChange: boolean }) {
  const { value } = useLive(letters, () => call(listLetterTexts), ["setting"]);
  const [asked, ask, close] = useAsked<Asked>();
  const columns: Column<StaffLetter>[] = [
    { key: "letter", title: "Letter", lead: true, cell: ({ title }) => title },
    {
      key: "version",
      title: "Words",
      cell: ({ version, isOwn, since }) => (isOwn ? "The house's own" : `Version ${version}, since ${instantText(since ?? "")} UTC`),
    },
    {
      key: "deed",
      title: "Actions",
      numeric: true,
      cell: (row) => (
        <VersionedDeeds
          of={row.title}
          change="Write"
          onChange={mayChange ? () => ask({ deed: "write", row }) : null}
          onVersions={row.version > 0 ? () => ask({ deed: "versions", row }) : null}
        />
      ),
    },
  ];
  return (
    <section aria-labelledby="letters" className="pt-6">
      <PartHead
        id="letters"
        title="Letters"
        lead="Subject and words of each letter; what happened, its button and the way to end all sessions stand around them. Letters that wait keep the words of when they were left."
      />
      <Table caption="Letters" columns={columns} rows={value} rowKey={({ letter }) => letter} />
      {asked?.deed === "write" ? <WriteDialog row={asked.row} onClose={close} /> : null}
      {asked?.deed === "versions" ? <LetterVersions row={asked.row} onClose={close} /> : null}
    </section>
  );
}

const marked = (names: readonly string[]) => names.map((name) => `{${name}}`).join(", ");

function WriteDialog({ row: { letter, title: of }, onClose }: { row: StaffLetter; onClose: () => void }) {
  const { read, again } = useRead<LetterRead>(() => call(readLetterText, undefined, { params: { letter } }));
  const title = `Write ${of}`;
  if (read === null || read === "failed") return <Loading id="letter" {...{ title, again, onClose }} failed={read === "failed"} />;
  const { own, known, required, versions } = read;
  const [newest] = versions;
  const back = () => {
    for (const [id, text] of [
      ["letter-subject", own.subject],
      ["letter-body", own.body],
    ] as const) {
      const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(`#${id}`);
      if (field) field.value = text;
    }
  };
  return (
    <ActionDialog
      id="letter"
      title={title}
      consequence="Letters that are left from now on are written with it."
      schema={letterBody}
      names={["subject", "body", "version", "reason"]}
      mends
      fields={(messages) => (
        <>
          <input type="hidden" name="version" value={newest?.version ?? 0} />
          <Field
            id="letter-subject"
            name="subject"
            label="Subject"
            maxLength={150}
            autoComplete="off"
            defaultValue={newest?.subject ?? own.subject}
            error={messages.subject}
          />
          <TextField
            id="letter-body"
            name="body"
            label="Words, as Markdown"
            hint={`An empty line ends a paragraph; **bold**; [words](/address). Placeholders: ${marked(known)}${required.includes("facts") ? "; {facts}: what happened, in lines" : ""}${required.includes("link") ? "; {link}: the button" : ""}.`}
            rows={10}
            maxLength={4000}
            defaultValue={newest?.body ?? own.body}
            error={messages.body}
          />
          <div className="flex flex-wrap gap-2">
            <Button type="button" variant="quiet" size="small" onClick={back}>
              The house’s own words
            </Button>
          </div>
          <Preview of={() => call(previewLetterText, { subject: fieldText("letter-subject"), body: fieldText("letter-body") }, { params: { letter } })}>
            {(seen) => <LetterSeen {...seen} />}
          </Preview>
          <TextField id="letter-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
        </>
      )}
      submit="Save"
      busy="Saving..."
      send={async (body) => {
        await call(writeLetterText, body, { params: { letter } });
        toast({ title: `${of}: the words were saved` });
      }}
      onClose={onClose}
    />
  );
}

const LetterVersions = ({ row: { letter, title }, onClose }: { row: StaffLetter; onClose: () => void }) => (
  <VersionsDialog
    id="letter-versions"
    of={title}
    ask={async () => (await call(readLetterText, undefined, { params: { letter } })).versions}
    said={({ subject, body, isMarkdown }) =>
      subject === null ? (
        "The house's own words"
      ) : (
        <>
          {subject}
          {isMarkdown ? null : <span className="text-soft"> (plain paragraphs)</span>}
          <span className="block whitespace-pre-line text-table font-normal">{body}</span>
        </>
      )
    }
    made={({ since, administrator, reason }) => `From ${instantText(since)} UTC, by ${administrator}: ${reason}`}
    onClose={onClose}
  />
);

export default island("AdminLetters", AdminLetters);
