/**
 * What a person wrote while an island slept. The browser shows it, React does not know of it, and would take it away when it draws
 * next. Only text: browsers also fill fields in by themselves, when one comes back to a page, and a choice or a tick may be an action.
 */
type Text = HTMLInputElement | HTMLTextAreaElement;

/** Fields that hold typed text. The others' `value` is not typed: a name, say, or a slider's number. */
export const TEXT = "textarea, input:not([type=checkbox], [type=radio], [type=file], [type=hidden], [type=range])";

/** Writes it again, as the person would. React follows a field by its own `value`, so that is set back first. */
export function write(field: Text, text: string) {
  if (!field.isConnected) return;
  field.value = field.defaultValue;
  const { prototype } = field.localName === "textarea" ? HTMLTextAreaElement : HTMLInputElement;
  Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** To be called before an island is hydrated; what it returns, once it is awake. */
export function keepTyped(element: Element): () => void {
  const fields = [...element.querySelectorAll<Text>(TEXT)].filter(({ value, defaultValue }) => value !== defaultValue);
  const written = fields.map((field) => [field, field.value] as const);
  return () => {
    for (const [field, text] of written) write(field, text);
  };
}
