import { toast } from "./toasts";

/** Something that can be done about what a toast says. */
export type Press = { label: string; act: () => void } | { label: string; href: string };

/** A toast with presses of its own; it closes with the first that acts. Returns the way to close it. */
export function toastWith(given: Parameters<typeof toast>[0], presses: readonly Press[]): () => void {
  const close = toast(given);
  const row = document.createElement("div");
  row.className = "mt-2 flex flex-wrap gap-2";
  for (const press of presses) row.append(control(press, close));
  document.querySelector("#toasts > [data-state=open]")?.append(row);
  return close;
}

function control(press: Press, close: () => void): HTMLElement {
  const element = document.createElement("href" in press ? "a" : "button");
  element.className =
    "inline-flex min-h-11 items-center rounded-control border border-control px-3 text-table font-medium text-ink no-underline hover:bg-sunken md:min-h-8";
  element.textContent = press.label;
  if ("href" in press) element.setAttribute("href", press.href);
  else {
    element.setAttribute("type", "button");
    element.addEventListener("click", () => {
      close();
      press.act();
    });
  }
  return element;
}
