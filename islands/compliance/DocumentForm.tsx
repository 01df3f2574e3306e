import { type FormEvent, useState } from "react";
import { DOCUMENT_LIMIT, type DocumentKind, sendDocument } from "../../src/compliance/schema";
import { KINDS, SIDES } from "../../views/compliance/words";
import { BusyButton } from "../../views/ui/staff/BusyButton";
import { Notice } from "../../views/ui/States";

type Props = { kind: DocumentKind; said?: string; onSent: () => Promise<void> };
type Chosen = { side: string; file: File };

const ACCEPT = "image/jpeg,image/png,image/webp,application/pdf";
/** The inputs of a kind: of one with two sides each has a place of its own, of the others several files are sent at once. */
const placesOf = (kind: DocumentKind) =>
  kind === "identity"
    ? [
        { name: "front", label: SIDES.front, many: false },
        { name: "back", label: `${SIDES.back} (of a card)`, many: false },
      ]
    : [{ name: "file", label: "File", many: kind !== "selfie" }];

/** Chooses documents of one kind, or photographs them, and sends them one after the other, with how far each is. Without scripts a plain form. */
export function DocumentForm({ kind, said, onSent }: Props) {
  const [fault, setFault] = useState(said ?? null);
  const [progress, setProgress] = useState<{ name: string; share: number } | null>(null);
  const [sent, setSent] = useState(0);

  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (progress) return;
    const form = event.currentTarget;
    const chosen = chosenIn(form);
    setSent(0);
    setFault(faultOf(chosen));
    if (faultOf(chosen)) return;
    let done = 0;
    try {
      for (const { side, file } of chosen) {
        setProgress({ name: file.name, share: 0 });
        await upload({ kind, side, file }, (share) => setProgress({ name: file.name, share }));
        setSent(++done);
      }
      form.reset();
    } catch (error) {
      setFault(error instanceof Error ? error.message : String(error));
    }
    setProgress(null);
    if (done > 0) await onSent();
  };
  return (
    <form noValidate method="post" action="/verification" encType="multipart/form-data" onSubmit={(event) => void send(event)} className="flex flex-col gap-4">
      <p className="text-table text-soft">{KINDS[kind].hint} JPEG, PNG, WebP or PDF, at most 10 MB.</p>
      <input type="hidden" name="kind" value={kind} />
      {placesOf(kind).map(({ name, label, many }) => (
        <fieldset key={name} className="flex flex-col gap-3 border-0 p-0">
          <legend className="mb-1.5 p-0 text-product font-medium">{label}</legend>
          <Choice id={`${kind}-${name}`} name={name} label="Choose a file" many={many} />
          <div className="md:hidden">
            <Choice id={`${kind}-${name}-camera`} name={name} label="Or take a photo" many={false} camera />
          </div>
        </fieldset>
      ))}
      {fault ? <Notice kind="error">{fault}</Notice> : null}
      {progress ? (
        <div className="flex flex-col gap-1">
          <label htmlFor={`${kind}-progress`} className="text-table text-soft [overflow-wrap:anywhere]">
            Sending {progress.name}
          </label>
          <progress id={`${kind}-progress`} max={1} value={progress.share} className="h-2 w-full accent-accent" />
        </div>
      ) : null}
      {sent > 0 && !progress ? <Notice kind="success">{sent === 1 ? "One file was sent." : `${sent} files were sent.`}</Notice> : null}
      <div className="flex justify-end">
        <BusyButton type="submit" busy={progress !== null} aria-label={`Send: ${KINDS[kind].label}`}>
          {progress ? "Sending..." : "Send"}
        </BusyButton>
      </div>
    </form>
  );
}

const Choice = ({ id, name, label, many, camera = false }: { id: string; name: string; label: string; many: boolean; camera?: boolean }) => (
  <div className="flex flex-col gap-1.5">
    <label htmlFor={id} className="text-table text-soft">
      {label}
    </label>
    <input
      id={id}
      name={name}
      type="file"
      accept={camera ? "image/*" : ACCEPT}
      multiple={many}
      {...(camera ? { capture: "environment" as const } : {})}
      className="block min-h-11 w-full rounded-control border border-control bg-surface p-2 text-table"
    />
  </div>
);

const chosenIn = (form: HTMLFormElement): Chosen[] =>
  [...form.querySelectorAll<HTMLInputElement>("input[type=file]")].flatMap(({ name, files }) =>
    [...(files ?? [])].map((file) => ({ side: name === "file" ? "" : name, file })),
  );

function faultOf(chosen: Chosen[]): string | null {
  if (chosen.length === 0) return "Choose a file.";
  const large = chosen.find(({ file }) => file.size > DOCUMENT_LIMIT);
  return large ? `${large.file.name} has more than 10 MB.` : null;
}

/** Sends one file; `fetch` can't say how far it is. */
function upload({ kind, side, file }: { kind: string } & Chosen, onProgress: (share: number) => void): Promise<void> {
  const body = new FormData();
  body.set("kind", kind);
  body.set("side", side);
  body.set("file", file);
  const request = new XMLHttpRequest();
  request.open("POST", sendDocument.path);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.onprogress = ({ lengthComputable, loaded, total }) => lengthComputable && onProgress(loaded / total);
  return new Promise((resolve, reject) => {
    const refuse = (message: string) => reject(new Error(`${file.name}: ${message}`));
    request.onerror = () => refuse("the server could not be reached. Check your connection and try again.");
    request.onload = () => {
      if (request.status === 201) resolve();
      else refuse((request.response as { message?: string } | null)?.message ?? `the server answered ${request.status}.`);
    };
    request.send(body);
  });
}
