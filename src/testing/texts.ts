/** What the specification says that each public page shows, word for word: headings, labels, claims, constants. */

export type PageTexts = {
  /** As one reads them, tags aside. */
  texts: string[];
  /** Link text and where it leads, with how often it stands there where that is said. */
  links?: [text: string, href: string, times?: number][];
  /** Text in an attribute of some element, such as a placeholder. */
  attributes?: string[];
};

const CHAT = "/api/login?returnTo=%2Fsupport%3Fview%3Dchat";
const INFORMATION: [string, string][] = [
  ["About", "/about"],
  ["Trading assets", "/trading-assets"],
  ["FAQ", "/faq"],
  ["Contact", "/contact"],
];
const DOCUMENTS: [string, string][] = [
  ["Terms of service", "/terms"],
  ["Privacy policy", "/privacy"],
  ["Payment policy", "/payment-policy"],
];

/** Navigation, documents menu and footer, on every page. */
export const chrome: PageTexts = {
  texts: ["Demonstration", "Documents", "Risk warning"],
  links: [["Home", "/"], ["Sign In", "/login"], ...INFORMATION, ...DOCUMENTS],
  attributes: ['aria-label="Menu"', 'data-theme-toggle=""'],
};

const packageTexts = (tier: string, minimum: string, spread: string, leverage: string, ...extras: string[]) => [
  `${tier} ${tier === "Gold" ? "Most popular " : ""}${minimum} minimum deposit Spread from ${spread} pips Leverage up to ${leverage} ${[...extras, "Live chart support", "All platforms"].join(" ")} OPEN AN ACCOUNT`,
];

export const pages: Record<string, PageTexts> = {
  "/": {
    texts: [
      "A $500 bonus on a $5,000 deposit.",
      "Award-winning trading education, live seminars and training",
      "150+ active markets and 24/7 trading",
      "$500 bonus.",
      "Learn to trade",
      "Award-winning education",
      "Live seminars and training",
      "How it works",
      "1 Create an account",
      "2 Choose a package and deposit",
      "3 Trade",
      "Once the deposit is confirmed",
      "Why choose forex and bitcoin trade",
      "A deposit of $5,000 in Bitcoin earns a $100 sign-up bonus.",
      "Bring a friend",
      "referral code",
      "Trading accounts",
      ...packageTexts("Starter", "$1,000", "3.3", "1:500"),
      ...packageTexts("Bronze", "$5,000", "2.2", "1:700", "Education tools"),
      ...packageTexts("Silver", "$20,000", "1.5", "1:1000", "Technical analysis report"),
      ...packageTexts("Gold", "$50,000", "1.0", "1:3000", "Market update emails"),
      ...packageTexts("Platinum", "$75,000", "0.5", "1:5000", "Market update emails"),
      "Live market data",
      "Forex screener Symbol Price Change % Bid Ask",
      ...["EUR/USD", "GBP/USD", "USD/JPY", "AUD/USD", "Sample rows until the first live quote"],
      ...["MetaTrader 4", "MetaTrader 5", "WebTrader", "Mobile App"],
      ...["5+ years on the market", "1000+ active clients", "500+ withdrawals", "50+ events", "100+ tradable assets"],
      "#1 Broker 2024",
      "Regulated & Licensed",
    ],
    links: [
      ["A $500 bonus on a $5,000 deposit. Join Now", "/register"],
      ["Register Now", "/register"],
      ["Get Started", "/login", 2],
      ["Learn More", "/about"],
      ["Trading Assets", "/trading-assets"],
      ["OPEN AN ACCOUNT", "/login", 5],
    ],
    attributes: ['aria-label="Previous slide"', 'aria-label="Next slide"', 'aria-label="Slide 1"', 'aria-label="Slide 3"'],
  },
  "/register": {
    texts: [
      ...["Quick setup", "Welcome bonus", "Expert support 24/7"],
      ...[
        "First name",
        "Last name",
        "Email address",
        "Gmail address",
        "Password",
        "Referral code (optional)",
        "Enter a code to get bonus rewards",
        "Create Account",
      ],
    ],
    links: [
      ["Sign In", "/login"],
      ["terms of service", "/terms"],
      ["privacy policy", "/privacy"],
    ],
    attributes: ['placeholder="min. 6 characters"'],
  },
  "/login": { texts: ["Email address", "Password", "Sign In"], links: [["Sign up", "/register"]] },
  "/about": {
    texts: [
      ...["Our mission", "Core values", "Leadership", "Achievements", "Timeline, 2019 to 2023", "2019", "2020", "2021", "2022", "2023"],
      ...[
        "#1 Broker 2024",
        "Award-winning trading education",
        "5+ years on the market",
        "1000+ active clients",
        "500+ withdrawals",
        "50+ events",
        "100+ tradable assets",
      ],
    ],
  },
  "/trading-assets": {
    texts: [
      ...["Forex", "Indices", "Commodities", "Crypto"],
      ...["From 0.8 pips on EUR/USD", "1:500 maximum leverage on forex", "50+ currency pairs", "24/5"],
      ...["EUR/USD Euro / US Dollar 0.8 pips Trade Now", "GBP/USD", "USD/JPY", "AUD/USD", "USD/CHF", "USD/CAD", "NZD/USD", "EUR/GBP", "USD/TRY"],
    ],
    links: [
      ["Trade Now", "/traders-portal?symbol=EUR/USD"],
      ["Open Live Account", "/api/login?returnTo=/dashboard"],
      ["Try Demo Account", "/api/login?returnTo=/dashboard"],
      ["Indices", "/trading-assets?tab=indices"],
    ],
  },
  "/trading-assets?tab=indices": { texts: ["S&P 500", "Nasdaq 100", "DAX 40", "FTSE 100", "Nikkei 225", "points", "Not traded on this platform yet"] },
  "/trading-assets?tab=commodities": { texts: ["Gold", "Silver", "Crude oil", "Natural gas", "Coffee", "Not traded on this platform yet"] },
  "/trading-assets?tab=crypto": {
    texts: "BTC ETH LTC XRP ADA DOT LINK AVAX SOL MATIC BNB DOGE SHIB TRX ATOM UNI FIL ALGO VET ICP".split(" ").map((coin) => `${coin}/USD`),
    links: [["Trade Now", "/traders-portal?symbol=BTC/USD"]],
  },
  "/faq": {
    texts: ["Getting Started", "Trading", "Deposits & Withdrawals", "Account Management", "Security & Regulation", "$1,000"],
    links: [
      ["Contact Support", "/contact"],
      ["Live Chat", CHAT],
    ],
  },
  "/faq?q=NOTHING+like+this": { texts: ["No questions found matching your search."], links: [["Clear Search", "/faq"]] },
  "/contact": {
    texts: [
      "Name",
      "Email",
      "Subject",
      "Message",
      "Phone",
      "Office address",
      "Hours",
      "Live chat",
      "within 24 hours",
      "Monday to Friday, 9 AM to 6 PM EST",
      "24/7",
    ],
    links: [
      ["Browse FAQ", "/faq"],
      ["Start Chat", CHAT],
    ],
  },
  "/contact?sent=1": { texts: ["Message Sent Successfully", "Thank you for contacting us. We'll get back to you within 24 hours."] },
  "/terms": {
    texts: [
      "Terms of service",
      "Sunday 5 PM to Friday 5 PM EST",
      "Minimum withdrawals are $50 by bank, $25 by card and $10 in cryptocurrency",
      "An account that was not used for 12 months may be charged an inactivity fee",
      "up to the fees of the last 12 months",
    ],
  },
  "/privacy": { texts: ["Privacy policy", "retained for 7 years"] },
  "/payment-policy": {
    texts: [
      "Payment policy",
      "Payment methods Method Currencies Minimum deposit Minimum withdrawal Processing time",
      ...["Starter from $1,000", "Bronze from $5,000", "Silver from $20,000", "Gold from $50,000", "Platinum from $75,000"],
      ...[
        "$50 by bank, $25 by card and $10 in cryptocurrency",
        "dated within 3 months",
        "3-5 business days",
        "3-7 business days",
        "within 24 hours",
        "$300",
        "5-30 minutes",
      ],
      ...[
        "Withdrawals are processed within 24 hours",
        "Monday to Friday, 9 AM to 6 PM EST",
        "retained for 7 years",
        "12 months",
        "capped at the fees of the last 12 months",
      ],
    ],
  },
  "/domain-verification": { texts: ["Company details", "Domain registration", "This page was generated at"] },
  "/clear-history": {
    texts: ["Quick Clear & Reload", "Clear All", "Local and session storage", "Cookies", "Indexed databases", "Caches"],
  },
  "/no-such-page": { texts: ["Page Not Found", "does not exist or has been moved"], links: [["Back to Home", "/"]] },
};

/** What a form that is posted empty says, field by field. */
export const refusals: Record<string, string[]> = {
  "/register": ["First name is required", "Last name is required", "Please enter a valid email address", "Password must be at least 6 characters"],
  "/login": ["Please enter a valid email address", "Password must be at least 6 characters"],
  "/contact": ["Name is required", "Please enter a valid email address", "Message is required"],
};
