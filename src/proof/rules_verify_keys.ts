import { type Given, NoProof } from "./rules_files";
import { openNote, parseVerifier, type Verifier, verifierText } from "./rules_note";
import { included, type Known, knownBy } from "./rules_verify_log";
import type { Report } from "./rules_verify_report";
import { keyChangeText, type LogRecord } from "./schema";

/**
 * Whose signatures a check believes: the file's own keys, which must be those that were given, or have followed one of them by a change that both
 * signed.
 */

/** One key that followed another, as both signed. */
type Change = { from: Verifier; to: Verifier };

/** `text`: the keys from elsewhere than the file, parted by spaces, or null where the file's own are taken. Throws NoProof. */
export function keysOf(given: Given, text: string | null, report: Report): Known {
  const wanted = readKeys(text?.split(/\s+/).filter(Boolean) ?? [], "The key that was given is no log's key (name+id+base64).");
  if (!("keys" in given)) {
    if (wanted.length === 0) throw new NoProof("A single proof names no key: give the log's key, which /log/key and every page of proofs show.");
    return knownBy(wanted);
  }
  const named = readKeys(given.keys, "The file's key is no log's key, or was changed.");
  const proofs = given.changes ?? [];
  const changes = changesTo(
    named,
    proofs.map(({ record }) => record),
  );
  if (wanted.length === 0) report.skip(`The key ${named[0]?.keyId} is the file's own: compare it with one that you noted elsewhere`);
  else refuseOthers(named, changes, wanted);
  // A kept checkpoint may be of a log of which the file holds nothing.
  const known = knownBy(named, [...changes.map(({ from }) => from), ...wanted]);
  for (const [n, proof] of proofs.entries())
    included(proof, known, report, `That the key ${changes[n]?.to.keyId} followed ${changes[n]?.from.keyId}, as both signed,`);
  return known;
}

function readKeys(texts: readonly string[], fault: string): Verifier[] {
  const found = texts.map(parseVerifier);
  const keys = found.filter((each) => each !== null);
  if (keys.length < found.length) throw new NoProof(fault);
  return keys;
}

/** The changes, each of which leads to one of the file's keys by those after it. Throws NoProof for one that both keys did not sign, or that leads nowhere. */
function changesTo(named: readonly Verifier[], records: readonly LogRecord[]): Change[] {
  const changes: Change[] = [];
  for (const record of records.toReversed()) {
    const change = record.kind === "key" ? signedChange(record) : null;
    if (!change || ![...named, ...changes.map(({ from }) => from)].some((key) => isKey(key, change.to)))
      throw new NoProof("A change of the log's key in the file is none that both keys signed, or does not lead to the file's key.");
    changes.unshift(change);
  }
  return changes;
}

const isKey = (one: Verifier, other: Verifier) => verifierText(one) === verifierText(other);
/** The same key, in whichever log. */
const isSame = (one: Verifier, other: Verifier) => one.publicKey.every((byte, n) => byte === other.publicKey[n]);

/** Null where not both signed it. */
function signedChange({ from, to, at, signatureFrom, signatureTo }: LogRecord<"key">): Change | null {
  const [former, later] = [parseVerifier(from), parseVerifier(to)];
  if (!former || !later || former.name !== later.name) return null;
  const opened = openNote(`${keyChangeText(former.name, from, to, at)}\n${signatureFrom}\n${signatureTo}\n`, [former, later]);
  return opened?.signatures.length === 2 ? { from: former, to: later } : null;
}

/** Whoever believes a key believes those that it followed and those that followed it, and none besides. Throws NoProof where the file's are others. */
function refuseOthers(named: readonly Verifier[], changes: readonly Change[], wanted: readonly Verifier[]): void {
  const believed = [...wanted];
  const isBelieved = (key: Verifier) => believed.some((each) => isSame(each, key));
  for (const { from, to } of [...changes, ...changes.toReversed()]) if (isBelieved(from) || isBelieved(to)) believed.push(from, to);
  const own = [...named, ...changes.map(({ from }) => from)];
  if (!own.some((key) => wanted.some((each) => isKey(each, key))) || !named.every(isBelieved))
    throw new NoProof("The file is another log's: it names another key than the one that was given.");
}
