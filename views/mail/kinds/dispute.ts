import { fact, type Writer } from "../letter";

export const dispute: Writer = (told) => ({
  subject: "We have your objection",
  words: [`${told.firstName}, your objection to a correction is with our staff as a support ticket. We answer you there.`],
  action: { label: "Open the ticket", url: told.at(`/support?ticket=${fact(told, "ticketId")}`) },
});
