import MailComposer from "nodemailer/lib/mail-composer";
import { renderToStaticMarkup } from "react-dom/server";
import { LetterLayout } from "../../views/mail/LetterLayout";
import { writerOf } from "../../views/mail/kinds";
import { type Frame, type Letter, letterText, type Told } from "../../views/mail/letter";
import { coloursOf } from "../../views/mail/looks";
import type { Config } from "../config";
import { keyOfLog } from "../proof/queries";
import { SmtpLine } from "./smtp";
import type { AppContext } from "../platform/app_context";
import type { Brand } from "../platform/page/brand";
import type { Links, TakenLetter } from "./commands";
import { inWords, type KeptWords, letterIdOf } from "./letter_words";
import { KINDS, type LetterKind } from "./rules";

/** What a letter is written from; its links are made when it is sent. */
type Source = Pick<TakenLetter, "facts" | "firstName"> & { kind: LetterKind };
type Written = { subject: string; text: string; html: string };
/** What letters show of the house. */
type House = Pick<Brand, "name" | "accents">;

/** The site's address as links name it: never what a request said. */
export const baseOf = ({ publicUrl, port }: Pick<Config, "publicUrl" | "port">): string => publicUrl ?? `http://localhost:${port}`;

/** Stands where a link would that opens something. */
export const MASKED = "[hidden]";

/** A letter in words. A link that was not made stands masked. `words`: the operator's own, in the place of the house's. `logKey`: what proofs are verified by, which its reader notes elsewhere than on the site. `framed`: for a frame of the panel. */
export function write(
  config: Pick<Config, "publicUrl" | "port">,
  house: House,
  { kind, facts, firstName }: Source,
  links: Links,
  logKey: string | null,
  words: KeptWords | null = null,
  framed = false,
): Written {
  const { letter, frame } = composed(config, house, { kind, facts, firstName }, links, logKey, words);
  return {
    // Whatever a fact holds, a subject is one line.
    subject: letter.subject.replace(/[\s\p{Cc}]+/gu, " ").slice(0, 200),
    text: letterText(letter, frame),
    html: `<!doctype html>${renderToStaticMarkup(<LetterLayout {...{ letter, frame, framed }} />)}`,
  };
}

/** A letter and what stands around it. */
function composed(
  config: Pick<Config, "publicUrl" | "port">,
  { name: brand, accents }: House,
  { kind, facts, firstName }: Source,
  links: Links,
  logKey: string | null,
  words: KeptWords | null,
): { letter: Letter; frame: Frame } {
  const base = baseOf(config);
  const told: Told = { brand, firstName: firstName ?? "", facts, at: (path) => base + path, link: (purpose) => links[purpose] ?? MASKED };
  const own = writerOf(kind)(told);
  const id = words && letterIdOf(kind, facts);
  const frame: Frame = {
    brand,
    colours: coloursOf(accents),
    home: base,
    settings: `${base}/profile#notifications`,
    logKey,
    freeze: null,
    unsubscribe: null,
  };
  const { topic, links: bound } = KINDS[kind];
  if ((bound as readonly string[]).includes("freeze")) frame.freeze = links.freeze ?? MASKED;
  if (topic !== null) frame.unsubscribe = links.unsubscribe ?? MASKED;
  return { letter: id ? inWords(id, own, words, told) : own, frame };
}

/** The whole message. The Message-ID is the letter's id, so that whoever gets it twice after a crash can tell. */
export function message(from: Sender, letter: { id: string; address: string; createdAt: string }, written: Written, unsubscribe?: string): Promise<Buffer> {
  const composed = new MailComposer({
    from: { name: from.name, address: from.address },
    to: { name: "", address: letter.address },
    subject: written.subject,
    text: written.text,
    html: written.html,
    date: new Date(letter.createdAt),
    messageId: `<${letter.id}@${from.address.split("@")[1]}>`,
    headers: {
      "Auto-Submitted": "auto-generated",
      ...(unsubscribe ? { "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` }, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return new Promise((resolve, reject) => composed.compile().build((error, built) => (error ? reject(error) : resolve(built as Buffer))));
}

type Sender = { name: string; address: string };
/** Whom letters come from: the address of the settings, under the name of the house. */
export function senderOf({ config: { mailFrom }, brand }: Pick<AppContext, "config" | "brand">): Sender {
  if (!mailFrom) throw new Error("there is no sender");
  return { name: brand.sender, address: mailFrom.address };
}

/** A connection to the configured server, under the site's own name. */
export function lineTo(config: Config): SmtpLine | null {
  return config.smtp && new SmtpLine(config.smtp, new URL(baseOf(config)).hostname);
}

/** Writes a letter to try the mail server by, and sends it at once, past the queue. */
export async function trySending(
  { config, brand, sql }: Pick<AppContext, "config" | "brand" | "sql">,
  address: string,
): Promise<{ delivered: boolean; answer: string }> {
  const line = lineTo(config);
  if (!line) return { delivered: false, answer: NOT_SENT };
  const letter = { id: crypto.randomUUID(), address, createdAt: new Date().toISOString() };
  const written = write(config, brand, { kind: "test", facts: {}, firstName: null }, {}, await keyOfLog(sql));
  try {
    const from = senderOf({ config, brand });
    const { to, answer } = await line.send({ from: from.address, to: address }, await message(from, letter, written), undefined, 20_000);
    return { delivered: to === "sent", answer };
  } finally {
    line.close();
  }
}

export const NOT_SENT = "not sent: no mail server is set";
