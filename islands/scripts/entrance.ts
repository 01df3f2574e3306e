import { leave } from "./leave";
import { fromTemplate, plainForm } from "./plain_form";
import { toast } from "../wire/toasts";

/** The script of the register and login pages: greets before it leaves. Without it both are plain posts. */
const REDIRECT_MS = 1500;

const registration = document.querySelector<HTMLFormElement>("form[action='/register']");
if (registration)
  plainForm(registration, {
    address: "/api/auth/register",
    after: "leave",
    done() {
      toast({ title: "Account Created Successfully!", description: "You are now logged in. Redirecting to dashboard..." });
      setTimeout(leave, REDIRECT_MS, registration);
    },
    refused({ message }) {
      toast({ title: "Registration Failed", description: message || "Something went wrong. Please try again.", variant: "destructive" });
    },
  });

const signIn = document.querySelector<HTMLFormElement>("form[action='/login']");
if (signIn) {
  const banner = signIn.querySelector("[data-banner]");
  plainForm(signIn, {
    address: "/api/auth/login",
    after: "leave",
    done(answer) {
      const { user } = answer as { user: { firstName: string } };
      banner?.replaceChildren();
      toast({ title: "Login Successful", description: `Welcome back, ${user.firstName || "Trader"}. Redirecting to dashboard...` });
      setTimeout(leave, REDIRECT_MS, signIn);
    },
    asks({ code }) {
      banner?.replaceChildren();
      return code === "two_factor_required";
    },
    refused({ message }) {
      const text = message || "Login failed";
      banner?.replaceChildren(fromTemplate("banner", text));
      toast({ title: "Login Failed", description: text, variant: "destructive" });
    },
  });
}
