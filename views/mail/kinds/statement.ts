import { fact, type Told, type Writer } from "../letter";

const MONTH = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", year: "numeric", month: "long" });

/** The month of a statement, in words. */
export const monthText = (told: Told): string => {
  const month = fact(told, "month");
  return /^\d{4}-\d{2}$/.test(month) ? MONTH.format(new Date(`${month}-01T00:00:00Z`)) : month;
};

/** A link and no attachment: a mailbox is read by others than its owner, and the statement's page asks who is there. */
export const statement: Writer = (told) => {
  const name = monthText(told);
  return {
    subject: `Your statement for ${name}`,
    words: [`${told.firstName}, your statement for ${name} is ready. Sign in to read or print it.`],
    action: { label: "Open the statement", url: told.at(`/statements/wallet?month=${fact(told, "month")}`) },
  };
};
