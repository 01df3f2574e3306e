/** A browser whose pictures the test draws, in place of this process's. `end` puts back what was there. */
export function heldPictures() {
  const before = Object.getOwnPropertyDescriptor(globalThis, "requestAnimationFrame");
  let asked: FrameRequestCallback[] = [];
  Object.defineProperty(globalThis, "requestAnimationFrame", { value: (callback: FrameRequestCallback) => asked.push(callback), configurable: true });
  const picture = () => {
    const due = asked;
    asked = [];
    for (const callback of due) callback(0);
  };
  return {
    picture,
    /** Draws until nothing more is asked for. */
    all() {
      while (asked.length > 0) picture();
    },
    end() {
      if (before) Object.defineProperty(globalThis, "requestAnimationFrame", before);
      else Reflect.deleteProperty(globalThis, "requestAnimationFrame");
    },
  };
}
