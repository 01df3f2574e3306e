import { fact, type Writer } from "../letter";

export const ticketAnswered: Writer = (told) => ({
  subject: `Your ticket was answered: ${fact(told, "subject")}`,
  words: [`${told.firstName}, our staff answered your support ticket.`],
  action: { label: "Read the answer", url: told.at(`/support?ticket=${fact(told, "ticketId")}`) },
});
