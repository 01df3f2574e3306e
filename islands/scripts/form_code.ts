/**
 * A form's own code is fetched when somebody turns to the form. A press before the code has loaded is repeated then; where it can't be loaded,
 * the form is sent as a plain post.
 */
{
  const src = (document.currentScript as HTMLScriptElement).dataset.code as string;
  let asked: Promise<unknown> | null = null;
  let ready = false;
  const load = () => (asked ??= import(src).then(() => (ready = true)));
  const formOf = (element: EventTarget | Element | null) => (element as HTMLInputElement | null)?.form;
  if (formOf(document.activeElement)) void load();
  document.addEventListener("focusin", ({ target }) => formOf(target) && void load());
  document.addEventListener("click", ({ target }) => {
    const eye = (target as Element).closest<HTMLElement>("[data-reveal]");
    if (eye && !ready) void load().then(() => eye.click());
  });
  document.addEventListener("submit", (event) => {
    if (ready) return;
    const form = event.target as HTMLFormElement;
    event.preventDefault();
    load().then(
      () => form.requestSubmit(),
      () => form.submit(),
    );
  });
}
