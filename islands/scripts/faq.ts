/**
 * The questions are filtered as one types, the way the server does when the form is sent: by the words of question and answer, whatever
 * their case. A page that was asked for with words holds only what they found: the others are fetched at the first letter.
 */
const form = document.querySelector("form[data-faq]");
const field = form?.querySelector("input");
const noneOf = () => document.querySelector<HTMLElement>("[data-faq-none]");

function filter() {
  const words = field?.value.trim().toLowerCase() ?? "";
  let found = 0;
  for (const group of document.querySelectorAll<HTMLElement>("[data-faq-group]")) {
    let here = 0;
    for (const question of group.querySelectorAll("details")) {
      question.hidden = !question.textContent?.toLowerCase().includes(words);
      question.open = words !== "" && !question.hidden;
      if (!question.hidden) here += 1;
    }
    group.hidden = here === 0;
    found += here;
  }
  const none = noneOf();
  if (none) none.hidden = found > 0;
}

let asked: Promise<void> | null = null;

/** All questions, with the rules of their page: this one carries only those that its own parts need. */
async function fetchAll() {
  // The policy names the rules in the page of their own, so they are taken out before anything would apply them.
  const [before = "", rules, after = ""] = (await (await fetch("/faq")).text()).split(/<style>(.*?)<\/style>/s);
  const all = new DOMParser().parseFromString(before + after, "text/html").querySelector("[data-faq-list]");
  if (!all) throw new Error("the questions did not come");
  if (rules) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
  }
  document.querySelector("[data-faq-list]")?.replaceWith(document.adoptNode(all));
}

field?.addEventListener("input", () => {
  if (noneOf()) return filter();
  asked ??= fetchAll();
  asked.then(filter, () => {
    asked = null; // The form can still be sent, and the next letter tries again.
  });
});
document.addEventListener("click", ({ target }) => {
  if (!field || !(target as Element).closest("[data-faq-none] button")) return;
  field.value = "";
  filter();
  field.focus();
});

export {};
