import { fact, type Writer } from "../letter";

const MONTH = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", year: "numeric", month: "long" });

/** A link and no attachment: a mailbox is read by others than its owner, and the statement's page asks who is there. */
export const statement: Writer = (told) => {
  const month = fact(told, "month");
  const name = /^\d{4}-\d{2}$/.test(month) ? MONTH.format(new Date(`${month}-01T00:00:00Z`)) : month;
  return {
    subject: `Your statement for ${name}`,
    words: [`${told.firstName}, your statement for ${name} is ready. Sign in to read or print it.`],
    action: { label: "Open the statement", url: told.at(`/statements/wallet?month=${month}`) },
  };
};
