import { plainForm } from "./plain_form";
import { toast } from "../wire/toasts";

/** The contact page's own script, without a framework: sends, and thanks without leaving the page. */
const form = document.querySelector<HTMLFormElement>("form[data-contact]");
const FAILED = "Failed to send message. Please try again.";

if (form)
  plainForm(form, {
    address: "/api/contact",
    after: "again",
    done() {
      toast({ title: "Message Sent Successfully", description: "Thank you for contacting us. We'll get back to you within 24 hours." });
    },
    refused({ status, message }) {
      toast({ title: "Error", description: status === 429 ? `${FAILED} ${message}` : FAILED, variant: "destructive" });
    },
  });
