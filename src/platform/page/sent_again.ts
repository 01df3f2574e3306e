/**
 * A form without scripts that was refused, or whose sender had to sign in first, comes back as it was sent, whichever view draws it: what was typed and
 * chosen stands in its fields, and the first of them that says a fault, or that was filled before a sign-in, has the focus. Passwords, one-time codes, files and hidden fields stay as they are drawn.
 */

/** What a form sent, and to which path; `isBack`: before a sign-in, and nothing was done or refused. */
export type Sent = { path: string; fields: Readonly<Record<string, string>>; isBack?: true };
type Element = HTMLRewriterTypes.Element;

/** A form of the page that posts there: how many of its hidden fields say what was sent, and how much of what was sent has a field in it. */
type Found = { same: number; known: number };

const nameOf = (element: Element) => element.getAttribute("name") ?? "";
const typeOf = (element: Element) => element.getAttribute("type") ?? "text";
const OWN = new Set(["hidden", "file", "submit", "button", "password"]);
/** What is never put back. */
const isOwn = (element: Element) =>
  OWN.has(typeOf(element)) || element.hasAttribute("readonly") || /password|one-time-code/.test(element.getAttribute("autocomplete") ?? "");
/** As React writes it, and as it is read here: nothing is decoded. */
const escaped = (text: string) => Bun.escapeHTML(text);

/** Which of the page's forms was sent, and what each list of the page offers, both by their order; null: none of them. */
function lookedAt(html: string, { path, fields }: Sent): { sent: number | null; lists: string[][] } {
  const forms: (Found | null)[] = [];
  const lists: string[][] = [];
  let isValued = false;
  new HTMLRewriter()
    .on("form", { element: (form) => void forms.push(form.getAttribute("action") === path ? { same: 0, known: 0 } : null) })
    .on("form [name]", {
      element(field) {
        const form = forms.at(-1);
        const given = fields[nameOf(field)];
        if (!form || given === undefined) return;
        form.known++;
        if (typeOf(field) === "hidden" && field.getAttribute("value") === escaped(given)) form.same++;
      },
    })
    .on("select", { element: () => void lists.push([]) })
    .on("select option", {
      element(option) {
        isValued = option.hasAttribute("value");
        lists.at(-1)?.push(option.getAttribute("value") ?? "");
      },
      // An option without a value means its words.
      text({ text }) {
        const list = lists.at(-1);
        if (list && !isValued) list.push((list.pop() ?? "") + text);
      },
    })
    .transform(html);
  const likely = (form: Found | null) => (form && form.known > 0 ? form.same * 1000 + form.known : 0);
  const best = Math.max(0, ...forms.map(likely));
  return { sent: best === 0 ? null : forms.findIndex((form) => likely(form) === best), lists };
}

/** The page with what was sent in the form that sent it, and there `first`, HTML of ours. */
export function sentAgain(html: string, sent: Sent, first = ""): string {
  const { fields, isBack } = sent;
  const { sent: which, lists } = lookedAt(html, sent);
  if (which === null) return html;
  let [form, list, option, chosen, hasFocus] = [-1, -1, -1, -1, false];
  const isSent = () => form === which;
  const toFocus = (field: Element) => {
    if (isBack && !hasFocus) field.setAttribute("autofocus", "");
    hasFocus ||= isBack === true;
  };
  return new HTMLRewriter()
    .on("form", {
      element(each) {
        form++;
        if (isSent()) each.prepend(first, { html: true });
      },
    })
    .on("form [aria-invalid=true]", {
      element(field) {
        if (isSent() && !hasFocus) field.setAttribute("autofocus", "");
        hasFocus ||= isSent();
      },
    })
    .on("form input", {
      element(input) {
        const given = fields[nameOf(input)];
        if (!isSent() || isOwn(input)) return;
        if (typeOf(input) === "checkbox" || typeOf(input) === "radio") {
          const isOn = given !== undefined && (input.getAttribute("value") ?? "on") === escaped(given);
          if (isOn) input.setAttribute("checked", "");
          else input.removeAttribute("checked");
        } else if (given !== undefined) {
          input.setAttribute("value", escaped(given));
          toFocus(input);
        }
      },
    })
    .on("form textarea", {
      element(area) {
        const given = fields[nameOf(area)];
        // A browser leaves out the first line end.
        if (!isSent() || given === undefined || isOwn(area)) return;
        area.setInnerContent(given.startsWith("\n") ? `\n${given}` : given);
        toFocus(area);
      },
    })
    .on("select", {
      element(select) {
        const given = fields[nameOf(select)];
        list++;
        chosen = isSent() && given !== undefined ? (lists[list] ?? []).indexOf(escaped(given)) : -1;
        option = -1;
      },
    })
    .on("select option", {
      element(each) {
        option++;
        if (chosen < 0) return;
        if (option === chosen) each.setAttribute("selected", "");
        else each.removeAttribute("selected");
      },
    })
    .transform(html);
}
