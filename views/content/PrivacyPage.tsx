import { Prose, type Section } from "./Prose";

/** What is kept about a person. It describes what the program does, and nothing else. */
export function PrivacyPage({ brand }: { brand: string }) {
  return (
    <Prose
      title="Privacy policy"
      lead={`What ${brand} keeps about you, why, and for how long.`}
      updated="Last changed: 21 November 2026"
      sections={privacySections()}
    />
  );
}

/** Its parts, which an operator's own text begins from. */
export const privacySections = (): Section[] => [
  {
    title: "What we keep",
    paragraphs: [
      "Your name, your email address, and a hash of your password from which the password cannot be read. A referral code, if you gave one.",
      "Your accounts, orders, fills, deposits, withdrawals and the messages you send us.",
      "For each sign-in: the network address, the browser's name, and the times of its use, so that you can see where you are signed in and end it.",
      "What you write by the contact form, with your name, your address and the network it came from, so that we can answer and turn floods away.",
      "For each visit to a page: when, from which network address and country, and with what kind of device. No cookie stands behind it; the network address is erased after 30 days, the rest after 90. Where your browser asks not to be tracked, nothing of it is kept.",
      "For each decision of our staff about you: who decided, when, from where and why.",
    ],
  },
  {
    title: "Why",
    paragraphs: [
      "To run your account, to keep it safe, to answer you, and to meet the duties of keeping books that the law puts on a financial service. We do not sell your data and show no advertising of others.",
    ],
  },
  {
    title: "Cookies and storage",
    paragraphs: [
      "One cookie keeps you signed in. It is not readable by scripts, holds a random number and nothing about you. Your browser keeps your choice of a light or dark theme for itself. There are no cookies of advertisers and no trackers of others: every script on these pages comes from this site.",
    ],
  },
  {
    title: "How long",
    paragraphs: [
      "Records of money and of trading are retained for 7 years after your account is closed, as bookkeeping requires. Sign-in sessions end after seven days without use and after thirty days at most.",
    ],
  },
  {
    title: "Your rights",
    paragraphs: [
      "You may see what we keep about you, have it corrected, and ask us to delete what no law makes us keep. Your profile shows the most of it; for the rest, write to our support.",
    ],
  },
];
