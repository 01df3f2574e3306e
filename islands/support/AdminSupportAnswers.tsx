import { may } from "../../src/lib/may";
import { cannedForm, type CannedAnswer, changeCanned, createCanned, deleteCanned, listCanned } from "../../src/support/schema_inbox";
import * as v from "valibot";
import { dateText } from "../../views/ui/instant";
import { Words } from "../../views/support/Conversation";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { Icon } from "../../views/ui/Icon";
import { EmptyState } from "../../views/ui/States";
import { call } from "../wire/api";
import { ActionDialog } from "../ui/ActionDialog";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { LostNotice } from "../ui/LostNotice";
import { toast } from "../wire/toasts";

type Asked = { action: "write" | "delete"; answer: CannedAnswer | null };

/** The answers that staff keep ready, with the ways to change them. */
export function AdminSupportAnswers({ canned }: { canned: CannedAnswer[] }) {
  const { value, lost } = useLive(canned, () => call(listCanned), ["ticket"]);
  const [asked, ask, close] = useAsked<Asked>();
  const mayChange = may("answers.change");
  const add = mayChange ? (
    <Button className="js-only" onClick={() => ask({ action: "write", answer: null })}>
      <Icon name="plus" />
      New answer
    </Button>
  ) : null;
  return (
    <div className="flex max-w-[60rem] flex-col gap-3">
      {lost ? <LostNotice /> : null}
      {value.length === 0 ? (
        <EmptyState icon="document" title="No ready answers yet" action={add}>
          What you write often can be kept here, and put into an answer or a chat with one choice.
        </EmptyState>
      ) : (
        <>
          <div>{add}</div>
          <ul className="border-t border-line">
            {value.map((answer) => (
              <li key={answer.id} data-row={answer.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 border-b border-line py-3">
                <div className="min-w-0 flex-1 basis-72">
                  <h2 className="text-product font-semibold [overflow-wrap:anywhere]">{answer.title}</h2>
                  <Words text={answer.body} />
                  <p className="mt-1 text-note text-soft">{`Changed ${dateText(answer.updatedAt)} by ${answer.updatedBy}`}</p>
                </div>
                {mayChange ? (
                  <div className="js-only flex gap-2">
                    <Button variant="secondary" size="small" aria-label={`Edit ${answer.title}`} onClick={() => ask({ action: "write", answer })}>
                      Edit
                    </Button>
                    <Button variant="danger" size="small" aria-label={`Delete ${answer.title}`} onClick={() => ask({ action: "delete", answer })}>
                      Delete
                    </Button>
                  </div>
                ) : null}
              </li>
            ))}
          </ul>
        </>
      )}
      {asked?.action === "write" ? <Write key={asked.answer?.id} answer={asked.answer} onClose={close} /> : null}
      {asked?.action === "delete" && asked.answer ? <Delete answer={asked.answer} onClose={close} /> : null}
    </div>
  );
}

const Write = ({ answer, onClose }: { answer: CannedAnswer | null; onClose: () => void }) => (
  <ActionDialog
    id="canned"
    title={answer ? "Edit answer" : "New answer"}
    consequence="Every administrator sees it and can change it."
    schema={cannedForm}
    names={["title", "body"]}
    mends
    fields={({ title, body }) => (
      <>
        <Field id="canned-name" name="title" label="Title" maxLength={100} autoComplete="off" defaultValue={answer?.title} error={title} />
        <TextField
          id="canned-body"
          name="body"
          label="Answer"
          rows={8}
          maxLength={5000}
          defaultValue={answer?.body}
          error={body}
          hint="{first name}, {name} and {subject} become the client's."
        />
      </>
    )}
    submit="Save"
    busy="Saving..."
    send={async (words) => {
      if (answer) await call(changeCanned, { ...words, version: answer.version }, { params: { id: answer.id } });
      else await call(createCanned, words);
      toast({ title: "Answer saved" });
    }}
    onClose={onClose}
  />
);

const Delete = ({ answer, onClose }: { answer: CannedAnswer; onClose: () => void }) => (
  <ActionDialog
    id="canned"
    title={`Delete ${answer.title}`}
    consequence="It is gone for every administrator. What was answered with it stays."
    schema={v.object({})}
    names={[]}
    fields={() => null}
    begin="button"
    submit="Delete"
    busy="Deleting..."
    danger
    send={async () => {
      await call(deleteCanned, undefined, { params: { id: answer.id } });
      toast({ title: "Answer deleted" });
    }}
    onClose={onClose}
  />
);

export default island("AdminSupportAnswers", AdminSupportAnswers);
