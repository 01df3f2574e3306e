/**
 * A form without a framework: checked on submit, then at each change; disabled while it is under way; what the server refused is
 * said at its field. The page brings the looks in templates (`views/ui/PlainForm.tsx`), the fields bring their messages in `data-misfit`.
 */
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
/** `status` 0: the server was not reached. `message` is fit to show and may be empty. */
export type Refused = { status: number; code: string; message: string; fields: Record<string, string> };
type Plain = {
  /** Where the values go, as JSON. */
  address: string;
  done: (answer: unknown) => void;
  refused: (why: Refused) => void;
  /** True for a refusal that is a question: the field it names shows itself, and nothing is said to be wrong. */
  asks?: (why: Refused) => boolean;
  /** After a success the page leaves and the form stays disabled, or it takes the next one. */
  after: "leave" | "again";
};

const UNREACHED = "The server could not be reached. Check your connection and try again.";

export function plainForm(form: HTMLFormElement, { address, done, refused, asks, after }: Plain) {
  const controls = [...form.elements].filter(
    (each): each is Control =>
      each instanceof HTMLTextAreaElement || each instanceof HTMLSelectElement || (each instanceof HTMLInputElement && each.type !== "hidden"),
  );
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]");
  const label = button?.textContent ?? "";
  let tried = false;

  const show = (faults: Record<string, string | null>) => {
    for (const control of controls) say(control, faults[control.name] ?? null);
    goTo(faults);
  };
  const goTo = (fields: Record<string, string | null>) => {
    const first = controls.find(({ name }) => fields[name]);
    first?.closest("[hidden]")?.removeAttribute("hidden");
    first?.focus();
  };
  const wait = (pending: boolean) => {
    if (!button) return;
    button.disabled = pending;
    button.textContent = pending ? (button.dataset.pending ?? label) : label;
  };

  form.addEventListener("input", ({ target }) => {
    const control = controls.find((each) => each === target);
    if (tried && control) say(control, misfit(control));
  });
  form.addEventListener("click", ({ target }) => {
    const eye = (target as Element).closest<HTMLElement>("[data-reveal]");
    if (eye) reveal(eye);
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button?.disabled) return;
    tried = true;
    const faults = Object.fromEntries(controls.map((control) => [control.name, misfit(control)]));
    show(faults);
    if (Object.values(faults).some(Boolean)) return;
    wait(true);
    const why = await post(address, Object.fromEntries(controls.map(({ name, value }) => [name, value])), done);
    if (!why && after === "leave") return;
    wait(false);
    if (!why) {
      tried = false;
      return form.reset();
    }
    if (asks?.(why)) {
      show({});
      return goTo(why.fields);
    }
    show(why.fields);
    refused(why);
  });
}

async function post(address: string, values: Record<string, string>, done: (answer: unknown) => void): Promise<Refused | null> {
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(values) });
    const text = await answer.text();
    if (answer.ok) {
      done(text && JSON.parse(text));
      return null;
    }
    return { status: answer.status, code: "", message: "", fields: {}, ...parsed(text) };
  } catch {
    return { status: 0, code: "", message: UNREACHED, fields: {} };
  }
}

function parsed(text: string): Partial<Refused> {
  try {
    const { code = "", message = "", fields = {} } = JSON.parse(text) as Partial<Refused>;
    return { code, message, fields };
  } catch {
    return {}; // Something between here and the server answered in its own words.
  }
}

/** Why this can't be sent as it stands; null where it can. The server has the last word. */
function misfit({ minLength = 0, required, validity, value, dataset }: Control & { minLength?: number }): string | null {
  const missing = minLength > 0 ? value.length < minLength : required && !value.trim();
  return missing || validity.typeMismatch ? (dataset.misfit ?? null) : null;
}

/** Shows a message at its field; null takes it away. */
function say(control: Control, message: string | null) {
  const id = `${control.id}-error`;
  const bad = message !== null;
  document.getElementById(id)?.remove();
  const hint = document.getElementById(`${control.id}-hint`)?.id;
  const set = (name: string, value: string | undefined) => (value ? control.setAttribute(name, value) : control.removeAttribute(name));
  set("aria-invalid", bad ? "true" : undefined);
  set("aria-describedby", [bad ? id : "", hint].filter(Boolean).join(" "));
  control.classList.toggle("border-loss", bad);
  control.classList.toggle("border-control", !bad);
  if (bad) control.parentElement?.after(fromTemplate("fault", message, id));
}

/** A copy of what the page drew in a template, with these words. */
export function fromTemplate(name: string, text: string, id = ""): Element {
  const template = document.querySelector<HTMLTemplateElement>(`template[data-name=${name}]`);
  const made = template?.content.firstElementChild?.cloneNode(true) as Element | undefined;
  if (!made) throw new Error(`the page has no template '${name}'`);
  made.id = id;
  (made.querySelector("[data-text]") ?? made).textContent = text;
  return made;
}

function reveal(eye: HTMLElement) {
  const field = document.getElementById(eye.getAttribute("aria-controls") ?? "") as HTMLInputElement | null;
  if (!field) return;
  const shown = field.type === "password";
  field.type = shown ? "text" : "password";
  eye.setAttribute("aria-pressed", String(shown));
  eye.setAttribute("aria-label", shown ? "Hide password" : "Show password");
}
