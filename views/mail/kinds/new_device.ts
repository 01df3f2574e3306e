import { deviceText } from "../../ui/device";
import { fact, given, type Writer } from "../letter";

export const newDevice: Writer = (told) => ({
  subject: "Sign-in from a new device",
  words: [`${told.firstName}, somebody signed in to your account in a browser that we had not seen before.`],
  facts: given([
    ["When", fact(told, "at")],
    ["Device", deviceText(fact(told, "userAgent"))],
    ["Address", fact(told, "ip")],
  ]),
  after: ["If it was you, there is nothing to do."],
});
