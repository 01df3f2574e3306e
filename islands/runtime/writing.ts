import { useEffect, useRef, useState } from "react";
import { may } from "../../src/lib/may";
import { sayWriting, type Writing, writingEvent } from "../../src/admin/schema";
import { myStream } from "../../src/portal/schema";
import { ApiError, call } from "../wire/api";
import { listen } from "../wire/stream";

/** Said again this often, in ms, so that who comes later hears of it too; and believed for a little longer than two of those. */
const AGAIN_MS = 8000;
const BELIEVED_MS = 20_000;

/**
 * Tells the other administrators that an answer to `objectId` is being written here, for as long as `draft` says so, and answers who
 * else writes one: "Grace Hopper is writing an answer". It forbids nothing.
 */
export function useWriting(objectId: string, draft: boolean): string | null {
  const [others, setOthers] = useState<ReadonlyMap<string, { name: string; at: number }>>(new Map());
  useEffect(() => {
    const without = (all: ReadonlyMap<string, { name: string; at: number }>, stays: (id: string, at: number) => boolean) =>
      new Map([...all].filter(([id, { at }]) => stays(id, at)));
    const hear = (said: Writing) => {
      if (said.objectId !== objectId) return;
      const at = Date.now();
      setOthers((all) => (said.draft ? new Map(all).set(said.adminId, { name: said.name, at }) : without(all, (id) => id !== said.adminId)));
    };
    const stop = listen<{ [writingEvent]: Writing }>(myStream.path, { [writingEvent]: hear });
    // A browser that died tells nobody.
    const timer = setInterval(() => setOthers((all) => (all.size > 0 ? without(all, (_, at) => Date.now() - at < BELIEVED_MS) : all)), AGAIN_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [objectId]);
  const told = useRef(false);
  useEffect(() => {
    if (!draft && !told.current) return;
    told.current = draft;
    void say(objectId, draft);
    if (!draft) return;
    const timer = setInterval(() => void say(objectId, true), AGAIN_MS);
    return () => clearInterval(timer);
  }, [objectId, draft]);
  useEffect(() => () => void (told.current && say(objectId, false)), [objectId]);
  const [first, ...more] = [...others.values()];
  if (!first) return null;
  return more.length === 0 ? `${first.name} is writing an answer` : `${first.name} and ${more.length} more are writing an answer`;
}

/** Nobody waits for it: what fails is made good by the next one. */
async function say(objectId: string, draft: boolean) {
  if (!may("support.answer")) return;
  try {
    await call(sayWriting, { objectId, draft });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * Whether an answer may go: null where it may, else by whom a newer one stands there than when this draft was begun, `newest` being the
 * newest answer's id and author. Asked once for each such answer: pressed again, it goes.
 */
export function useBeside(draft: boolean, newest: { id: string; author: string } | null): { author: string | null; ask: () => boolean; sent: () => void } {
  const begun = useRef<string | null>(null);
  const [asked, setAsked] = useState<{ id: string; author: string } | null>(null);
  const was = useRef(false);
  useEffect(() => {
    if (draft && !was.current) begun.current = newest?.id ?? null;
    was.current = draft;
  }, [draft, newest]);
  return {
    author: draft && asked && asked.id === newest?.id ? asked.author : null,
    /** True where it must be asked first. */
    ask: () => {
      const id = newest?.id ?? null;
      if (!newest || id === begun.current) return false;
      begun.current = id;
      setAsked(newest);
      return true;
    },
    sent: () => {
      was.current = false;
      setAsked(null);
    },
  };
}
