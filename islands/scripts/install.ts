/** The card at the bottom right that offers to install the app. `chrome.ts` loads it where there is something to offer. */
type Offer = { prompt(): Promise<{ outcome: "accepted" | "dismissed" }> };

const STAFF = ["Admin controls", "Trade manipulation controls, each disclosed to the trader", "Visitor tracking", "Deposit and withdrawal alerts"];
const TRADER = "A window of its own, one touch from your home screen. Prices and orders stay live; nothing of yours is kept on the device.";

function element<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, ...children: (Node | string)[]) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

function button(label: string, className: string, press: () => unknown) {
  const made = element("button", `inline-flex min-h-11 items-center justify-center rounded-control px-4 font-medium ${className}`, label);
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** `offer` is the browser's own way to ask; null where a person has to do it by hand, as on an iPhone. */
export default function showCard(offer: Offer | null, staff: boolean) {
  const brand = (document.querySelector("meta[name=application-name]") as HTMLMetaElement).content;
  const title = element("h2", "text-base font-semibold", staff ? `Install the ${brand} admin app` : `Install ${brand}`);
  title.id = "install-title";
  const card = element(
    "section",
    "no-print fixed inset-x-4 bottom-4 z-40 rounded-card border border-line bg-surface p-4 text-product text-ink shadow-raised md:left-auto md:w-96",
    title,
  );
  card.setAttribute("aria-labelledby", title.id);
  const close = (remember: boolean) => {
    card.remove();
    if (remember) localStorage.setItem("install", "dismissed");
  };
  if (staff) card.append(element("ul", "mt-2 list-disc pl-5 text-soft", ...STAFF.map((text) => element("li", "", text))));
  else card.append(element("p", "mt-2 text-soft", TRADER));
  if (!offer) card.append(element("p", "mt-2", "Tap Share, then ‘Add to Home Screen’."));
  const actions = element("div", "mt-3 flex flex-wrap gap-2");
  const install = async () => {
    const { outcome } = await (offer as Offer).prompt();
    close(outcome === "dismissed");
  };
  if (offer) actions.append(button("Install", "bg-accent text-on-accent", install));
  actions.append(button("Not now", "text-soft", () => close(true)));
  card.append(actions);
  // Above what the trading screen has at its foot: `desk_css.ts`.
  document.body.append(card);
}
