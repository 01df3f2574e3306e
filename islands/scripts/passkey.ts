import { startAuthentication } from "@simplewebauthn/browser";
import { leave } from "./leave";
import { fromTemplate } from "./plain_form";
import { toast } from "../wire/toasts";

/**
 * The passkey on the sign-in page: a button where the browser can, and a suggestion in the address field. The rest of the page works without it;
 * nothing is asked of the server before it is known that the browser can.
 */
const REDIRECT_MS = 1500;
const form = document.querySelector<HTMLFormElement>("form[action='/login']");
const button = document.querySelector<HTMLButtonElement>("[data-passkey]");

type Answer = { user?: { firstName: string }; message?: string };

async function post(path: string, body: object = {}): Promise<Answer & Record<string, unknown>> {
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const said = (await answer.json()) as Answer & Record<string, unknown>;
  if (!answer.ok) throw new Error(said.message ?? "Login failed");
  return said;
}

/** Signs in by a passkey. What the person broke off is no failure. */
async function signIn(suggest: boolean) {
  try {
    const optionsJSON = (await post("/api/auth/passkey/options")) as never;
    const response = await startAuthentication({ optionsJSON, useBrowserAutofill: suggest });
    const { user } = await post("/api/auth/passkey/login", { response });
    toast({ title: "Login Successful", description: `Welcome back, ${user?.firstName || "Trader"}. Redirecting to dashboard...` });
    if (form) setTimeout(leave, REDIRECT_MS, form);
  } catch (error) {
    const { name, message } = error as Error;
    if (suggest || name === "AbortError") return;
    const text = name === "NotAllowedError" ? "No passkey was used. Try again, or sign in with your password." : message;
    form?.querySelector("[data-banner]")?.replaceChildren(fromTemplate("banner", text));
  }
}

// An address without a name can have no passkeys.
if (form && button && window.PublicKeyCredential && !/^[\d.]+$|:/.test(location.hostname)) {
  button.hidden = false;
  button.addEventListener("click", () => void signIn(false));
  void PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => (can ? signIn(true) : undefined));
}
