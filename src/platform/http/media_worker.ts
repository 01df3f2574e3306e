import { constants, setPriority } from "node:os";
import { Refusal } from "../../lib/refusal";
import { mediaTypeOf } from "./media";
import type { Verdict } from "./upload";

// On Linux this is of the calling thread alone: whoever waits for an answer comes first.
setPriority(constants.priority.PRIORITY_LOW);

/** The worker that finds the type of files that people send: a file comes in, its type goes out. */

function verdictOn(file: Uint8Array): Verdict {
  try {
    return { type: mediaTypeOf(file) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, fields } = error;
    return { refused: { code, message, fields } };
  }
}

addEventListener("message", ({ data }: MessageEvent<Uint8Array>) => postMessage(verdictOn(data)));
