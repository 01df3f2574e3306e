/** The fictional people: sailors and ships, at addresses that take no mail. */

const FIRST = [
  ...["Ada", "Bertil", "Coralie", "Dario", "Elin", "Femi", "Greta", "Hugo", "Ines", "Jonas", "Kaia", "Leif", "Marisol", "Nell", "Otto", "Pia"],
  ...["Quentin", "Rosa", "Sigrid", "Tomas", "Ulla", "Viggo", "Wanda", "Xaver", "Yara", "Zeno", "Astrid", "Benno", "Clara", "Edvin", "Freya", "Gaspard"],
];
const LAST = [
  ...["Bowsprit", "Capstan", "Davits", "Fairlead", "Foresail", "Galley", "Halliard", "Jibstay", "Keelson", "Lazyjack", "Mainsheet", "Mizzen", "Outhaul"],
  ...["Painter", "Quarterdeck", "Ratline", "Spinnaker", "Topgallant", "Windlass", "Yardarm", "Bobstay", "Clewline", "Gunwale", "Rowlock", "Scupper"],
];

export type Name = { firstName: string; lastName: string; email: string };

/** `count` different people. */
export function castOf(count: number): Name[] {
  return Array.from({ length: count }, (_, n) => {
    const firstName = FIRST[n % FIRST.length] ?? "";
    const lastName = LAST[(n * 7 + Math.floor(n / FIRST.length) * 3) % LAST.length] ?? "";
    return { firstName, lastName, email: `${firstName}.${lastName}@example.test`.toLowerCase() };
  });
}

/** What people ask, each with the answer that fits it. */
export const TICKETS = [
  {
    subject: "Where do I see my margin level?",
    message: "I opened two positions and would like to know how close I am to a margin call.",
    category: "trading",
    priority: "medium",
    answer:
      "Thank you for writing. It is on the account card of the portal, beside equity and free margin; below 100% you are told, below 50% the largest loss is closed.",
  },
  {
    subject: "Deposit by bank not shown yet",
    message: "I sent a bank transfer three days ago. When will it appear?",
    category: "financial",
    priority: "high",
    answer: "Thank you for your patience. A bank wire takes three to seven business days; we approve it as soon as it is seen.",
  },
  {
    subject: "Can I change my e-mail address?",
    message: "I am about to lose access to my old mailbox.",
    category: "account",
    priority: "low",
    answer:
      "Please write the new address into this ticket while you are signed in, with a picture of your passport or identity card; we change it and tell both mailboxes.",
  },
  {
    subject: "Stop loss filled below my price",
    message: "My stop was at one price and I was filled a little below. Why is that?",
    category: "trading",
    priority: "high",
    answer: "We looked at the receipt of your deal: the price gapped over your stop, and it was filled at the first price after it, as the receipt shows.",
  },
  {
    subject: "The chart is blank on my tablet",
    message: "It worked yesterday. I use an older tablet with the latest browser.",
    category: "technical",
    priority: "medium",
    answer:
      "Please open Clear history at /clear-history, choose Quick Clear & Reload, and sign in again. If the chart stays blank, tell us the tablet's model.",
  },
  {
    subject: "What documents do you need?",
    message: "I would like to verify my identity before my first withdrawal.",
    category: "account",
    priority: "medium",
    answer: "Please send a passport or identity card, and a proof of address not older than three months, as an attachment to this ticket.",
  },
  {
    subject: "Withdrawal to a new bank account",
    message: "I moved to another bank. What do I have to do?",
    category: "financial",
    priority: "urgent",
    answer: "Enter the new account in the withdrawal form and confirm it with your password. The name on it must be yours, or we have to reject the request.",
  },
  {
    subject: "Do you keep positions open over the weekend?",
    message: "I hold EUR/USD and would like to know what happens on Friday evening.",
    category: "general",
    priority: "low",
    answer:
      "They stay open. Forex rests from Friday 17:00 to Sunday 17:00 in New York; a stop then fills at the first price after the opening, which can lie beyond it.",
  },
] as const;

export const CONTACTS = [
  ["Seminar in spring", "Will there be a live seminar on risk in April? Two of us would like to come."],
  ["Partnership", "We teach navigation and would like to know more of your education programme."],
  ["A question before I register", "Is the demo account free for as long as I like?"],
] as const;

export const CHAT = [
  [
    "Hello, is someone there?",
    "Good day, how can we help?",
    "I can't find where to set a take profit on an open position.",
    "Open the position's menu and choose Edit; stop and target are there.",
  ],
  ["My withdrawal is still pending since yesterday.", "We look at each within 24 hours; yours is next.", "Thank you, that was quick."],
] as const;
