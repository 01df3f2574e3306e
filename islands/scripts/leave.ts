/**
 * Leaves the page of a sign-in: for where one was going, or with what a form said that waited for it (`src/platform/http/held_forms.ts`), back to
 * that form. Nothing else goes along, least of all the password.
 */
export function leave(form: HTMLFormElement): void {
  const hidden = (name: string) => form.elements.namedItem(name) as HTMLInputElement | null;
  const held = hidden("held");
  if (!held) return location.assign(hidden("returnTo")?.value ?? "/dashboard");
  for (const each of form.elements) each.toggleAttribute("disabled", each !== held);
  form.action = (JSON.parse(held.value) as { path: string }).path;
  form.submit();
}
