/**
 * What a person wrote, chose or ticked while an island slept. The browser shows it, React does not know of it, and would take it
 * away when it draws next.
 */
type Text = HTMLInputElement | HTMLTextAreaElement;
type Field = Text | HTMLSelectElement;

const isChoice = (field: Field): field is HTMLSelectElement => field.localName === "select";
const isTick = (field: Field): field is HTMLInputElement => field.type === "checkbox" || field.type === "radio";

function isWritten(field: Field): boolean {
  if (isChoice(field))
    return (
      field.selectedIndex !==
      Math.max(
        0,
        [...field.options].findLastIndex((option) => option.hasAttribute("selected")),
      )
    );
  if (isTick(field)) return field.checked !== field.defaultChecked;
  return field.type !== "file" && field.value !== field.defaultValue;
}

/** Writes it again, as the person would. React follows a field by its own `value` and `checked`, so what it follows is set back first. */
function write(field: Field, value: string) {
  if (!field.isConnected) return;
  if (isChoice(field)) {
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (isTick(field)) {
    field.checked = field.defaultChecked;
    field.click();
  } else {
    field.value = field.defaultValue;
    const { prototype } = field.localName === "textarea" ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

/** To be called before an island is hydrated; what it returns, once it is awake. */
export function keepTyped(element: Element): () => void {
  const written = [...element.querySelectorAll<Field>("input, textarea, select")].filter(isWritten).map((field) => [field, field.value] as const);
  return () => {
    for (const [field, value] of written) write(field, value);
  };
}
