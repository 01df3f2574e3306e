import { useState, useSyncExternalStore } from "react";
import { keep, kept } from "../wire/kept";

/** A draft is this page's own to change. */
const neverChanges = () => () => {};

/** What is being written under a name: it outlasts a reload, and the way to another conversation and back. */
export function useKeptWords(name: string): [text: string, write: (words: string) => void] {
  const [written, setWritten] = useState<string | null>(null);
  // What the server drew has no draft.
  const before = useSyncExternalStore(
    neverChanges,
    () => kept(name),
    () => null,
  );
  const write = (words: string) => {
    setWritten(words);
    keep(name, words || null);
  };
  return [written ?? (typeof before === "string" ? before : ""), write];
}
