import { approveDeposit, depositRate, decideWithdrawal, makeTransfer, rejectDeposit, requestDeposit, requestWithdrawal } from "../funding/commands";
import { changePaymentDetails } from "../funding/commands_payments";
import { createDepositWallet } from "../funding/commands_wallets";
import { approveRegistration, ban, decideKyc, rejectRegistration, suspend } from "../identity/commands_standing";
import { DAY } from "../lib/time";
import type { Act, AppContext } from "../platform/app_context";
import { answer as answerChat, say } from "../support/commands_chat";
import { openTicket, reply } from "../support/commands";
import { sendContactMessage } from "../support/commands_contact";
import { decide as decideTicket } from "../support/commands_inbox";
import { dispute, force } from "../trading/commands_corrections";
import { CHAT, CONTACTS, type Name, TICKETS } from "./cast";
import { Dealing, unlessRefused } from "./dealing";
import { between, type Dice, pick } from "./dice";
import type { ToldMarket } from "./market";
import { confirm, openLive, register, type Trader } from "./people";
import { walletBalance } from "./queries";

/** What waits, and when staff come to it. */
type Waits = { id: string; due: number };
/** So many register within the last hour. */
const LATE = 3;
type Parts = { app: AppContext; market: ToldMarket; dice: Dice; act: Act; names: readonly Name[]; password: string; start: number; end: number };

const TIERS = [
  ["platinum", 75_000],
  ["gold", 50_000],
  ["silver", 20_000],
  ["bronze", 5_000],
  ["starter", 300],
] as const;

/** What people and staff do, moment by moment, each by the command that the screens use. */
export class Months {
  readonly dealing: Dealing;
  private readonly traders: Trader[] = [];
  private readonly newcomers: (Waits & { trader: Trader })[] = [];
  private readonly deposits: (Waits & { trader: Trader })[] = [];
  private readonly withdrawals: Waits[] = [];
  /** Whom staff turned away: they can't sign in any more, so they do nothing more. */
  private readonly rejected = new Set<string>();
  private readonly tickets: (Waits & { trader: Trader; words: string })[] = [];
  private now = 0;

  constructor(private readonly parts: Parts) {
    this.dealing = new Dealing(parts);
  }

  /** Before the first day: addresses to pay to. */
  async prepare(): Promise<void> {
    const { sql } = this.parts.app;
    for (const [currency, network, walletAddress] of [
      ["BTC", "Mainnet", "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"],
      ["ETH", "ERC-20", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"],
      ["USDT", "TRC-20", "TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC"],
    ] as const)
      await unlessRefused(() =>
        createDepositWallet(sql, this.parts.act, { currency, network, walletAddress, description: "Demonstration: send nothing here" }),
      );
    const card = { accountName: "", bankName: "", accountNumber: "", bic: "", link: "", instructions: "Demonstration: pay nothing here" };
    const bank = { ...card, accountName: "Halyard Demonstration", bankName: "A bank that never was", accountNumber: "DE02 1203 0000 0000 2020 51" };
    await unlessRefused(() => changePaymentDetails(sql, this.parts.act, "bank", bank));
    await unlessRefused(() => changePaymentDetails(sql, this.parts.act, "card", card));
  }

  /** One moment. */
  async live(at: number): Promise<void> {
    this.now = at;
    await this.arrive();
    await this.dealing.settle();
    if (this.chance(0.3)) await this.dealing.judge();
    for (const trader of this.able()) {
      if (this.chance(0.09)) await this.trade(trader);
      if (this.chance(0.012)) await this.pay(trader);
      if (trader.funded && this.chance(0.008)) await this.takeOut(trader);
    }
    if (this.chance(0.05)) await this.ask();
    await this.decide();
  }

  /** The last hour: what is true of every broker, somebody waits, somebody asks, somebody was corrected. */
  async finish(): Promise<void> {
    const { app, act, dice } = this.parts;
    await this.arriveUpTo(this.parts.names.length);
    const able = this.able();
    const [first, second, third, fourth] = able;
    for (const [n, words] of CHAT.entries()) if (able[n + 4]) await this.chat(able[n + 4] as Trader, words);
    for (const [n, [subject, message]] of CONTACTS.entries())
      await sendContactMessage(
        app,
        { network: `192.0.2.${n + 1}`, me: null },
        { name: `Visitor ${n + 1}`, email: `visitor${n + 1}@example.test`, subject, message },
      );
    for (const trader of able) if (trader.funded && this.withdrawals.length < 3) await this.takeOut(trader);
    if (first) await this.correct(first);
    if (second) await suspend(app, act, second.id, "Documents are out of date", new Date(this.parts.end + 14 * DAY).toISOString());
    if (third) await ban(app, act, third.id, "Several accounts of one person");
    if (fourth) await unlessRefused(() => openTicket(app.sql, fourth.id, ticketOf(pick(dice, TICKETS)), null));
  }

  get people(): readonly Trader[] {
    return this.traders;
  }

  private able = () => this.traders.filter(({ id }) => !this.rejected.has(id));
  private chance = (of: number): boolean => this.parts.dice() < of;

  /** People register all through the months, the last of them just now. */
  private async arrive(): Promise<void> {
    const { names, start, end } = this.parts;
    const share = ((this.now - start) / (end - start)) ** 0.8;
    await this.arriveUpTo(Math.ceil(share * (names.length - LATE)));
  }

  private async arriveUpTo(count: number): Promise<void> {
    const { names, app, dice, password } = this.parts;
    while (this.traders.length < count) {
      const name = names[this.traders.length] as Name;
      const referrer = this.chance(0.2) && this.traders.length > 0 ? pick(dice, this.traders).referralCode : "";
      const trader = await register(app, name, password, referrer);
      this.traders.push(trader);
      this.newcomers.push({ id: trader.id, due: this.soon(), trader });
    }
  }

  private async trade(trader: Trader): Promise<void> {
    const { accounts } = trader;
    const live = accounts.filter(({ isDemo }) => !isDemo);
    const account = live.length > 0 && this.chance(0.75) ? pick(this.parts.dice, live) : pick(this.parts.dice, accounts);
    if (account && this.dealing.open.filter(({ trader: { id } }) => id === trader.id).length < 5) await this.dealing.enter(trader, account);
  }

  private async pay(trader: Trader): Promise<void> {
    const { app, dice } = this.parts;
    const size = this.chance(0.15) ? between(dice, 5_000, 30_000) : between(dice, 300, 3_500);
    const coin = this.chance(0.35) ? pick(dice, ["BTC", "ETH", "USDT"] as const) : null;
    const euros = coin === null && this.chance(0.2);
    const deposit = {
      ...{ amount: (Math.round(size / 10) * 10).toFixed(2), currency: coin ?? (euros ? ("EUR" as const) : ("USD" as const)) },
      ...{ method: coin ? ("crypto" as const) : pick(dice, ["bank", "card"] as const), coin, network: null, walletId: null, walletAddress: null },
      ...{ notes: "", transactionHash: null, outputIndex: 0 },
    };
    const done = await unlessRefused(() => requestDeposit(app, trader.id, deposit, null));
    if (done) this.deposits.push({ id: done.answer.id, due: this.soon(), trader });
  }

  private async takeOut(trader: Trader): Promise<void> {
    const { app, dice, password } = this.parts;
    const most = await walletBalance(app.sql, trader.id);
    if (most < 100) return;
    await confirm(app, trader, password);
    const asked = {
      ...{ amount: (Math.floor(between(dice, 50, most * 0.6) / 10) * 10 + 50).toFixed(2), currency: "USD" as const, method: "bank" as const },
      ...{ network: null, walletAddress: "A bank account that never was" },
    };
    const done = await unlessRefused(() => requestWithdrawal(app.sql, trader, asked, null));
    if (done) this.withdrawals.push({ id: done.answer.id, due: this.soon() });
  }

  private async ask(): Promise<void> {
    const { app, dice } = this.parts;
    const able = this.able();
    const trader = able.length > 0 ? pick(dice, able) : null;
    const asked = pick(dice, TICKETS);
    const done = trader && (await unlessRefused(() => openTicket(app.sql, trader.id, ticketOf(asked), null)));
    if (done) this.tickets.push({ id: done.answer.id, due: this.soon(), trader, words: asked.answer });
  }

  /** Staff decide within a day or so; what came in the last hours waits still. */
  private async decide(): Promise<void> {
    for (const newcomer of this.ripe(this.newcomers)) await this.decideNewcomer(newcomer.trader);
    for (const { id, trader } of this.ripe(this.deposits)) await this.decideDeposit(id, trader);
    for (const { id } of this.ripe(this.withdrawals)) await this.decideWithdrawal(id);
    for (const { id, trader, words } of this.ripe(this.tickets)) await this.answer(id, trader, words);
  }

  private async decideNewcomer(trader: Trader): Promise<void> {
    const { app, act } = this.parts;
    if (this.chance(0.06)) {
      await rejectRegistration(app, act, trader.id, "");
      this.rejected.add(trader.id);
      return;
    }
    await approveRegistration(app, act, trader.id);
    if (this.chance(0.7)) await unlessRefused(() => decideKyc(app, act, trader.id, "verified", "Passport and address seen"));
  }

  private async decideDeposit(id: string, trader: Trader): Promise<void> {
    const { app, act, market, dice } = this.parts;
    if (this.rejected.has(trader.id) || this.chance(0.1))
      return void (await unlessRefused(() => rejectDeposit(app.sql, act, id, "No payment was found for this request", null)));
    const done = await unlessRefused(() => depositRate(app.sql, market, id).then((rate) => approveDeposit(app.sql, act, id, rate, "Payment seen", null)));
    if (!done) return;
    const amount = Math.floor((await walletBalance(app.sql, trader.id)) * between(dice, 0.5, 0.9));
    const tier = TIERS.find(([, minimum]) => amount >= minimum)?.[0];
    if (!tier) return;
    const account = trader.accounts.find(({ isDemo }) => !isDemo) ?? (await unlessRefused(() => openLive(app, trader, tier)));
    if (account)
      trader.funded =
        (await unlessRefused(() => makeTransfer(app.sql, trader, null, account.id, amount.toFixed(2), market.board.arrays(), null))) !== null || trader.funded;
  }

  private async decideWithdrawal(id: string): Promise<void> {
    const { app, act } = this.parts;
    const decision = this.chance(0.12)
      ? { status: "rejected" as const, note: "The account's name does not match yours", hash: null }
      : { status: "approved" as const, note: "", hash: null };
    await unlessRefused(() => decideWithdrawal(app.sql, act, id, decision, null));
  }

  private async answer(id: string, trader: Trader, words: string): Promise<void> {
    const { app, act } = this.parts;
    const status = this.chance(0.6) ? ("resolved" as const) : ("in_progress" as const);
    await unlessRefused(() => decideTicket(app.sql, act, id, { adminResponse: words, status, assignedTo: act.admin.id }, null));
    if (status === "in_progress" && this.chance(0.5))
      await unlessRefused(() => reply(app.sql, trader.id, id, "Thank you, that helps. I will look and come back.", null));
  }

  private async chat(trader: Trader, words: readonly string[]): Promise<void> {
    const { app, act } = this.parts;
    let session = "";
    for (const [n, message] of words.entries()) {
      if (n % 2 === 0) session = (await say(app, trader.id, { message, clientId: crypto.randomUUID() })).sessionId;
      else await answerChat(app, act, session, { message, clientId: crypto.randomUUID() });
    }
  }

  /** A disclosed correction of a demo deal in its owner's favour, and the question that it raises. */
  private async correct(trader: Trader): Promise<void> {
    const { app, act } = this.parts;
    const demo = trader.accounts.find(({ isDemo }) => isDemo);
    if (demo) await this.dealing.enter(trader, demo);
    const held = this.dealing.open.findLast(({ position }) => position.accountId === demo?.id);
    if (!held) return;
    const trading = { fresh: this.dealing.fresh, changed: () => {}, teller: () => ({ epoch: null, moment: 0, tell: () => {} }) };
    await force({ app, trading }, act, held.position.id, "25.00", "Goodwill: the platform was away for a minute while this was open", null);
    this.dealing.drop(held.position.id);
    await dispute(app, trader.id, held.position.id, "Thank you. Could you tell me when exactly it was away?");
  }

  private soon = (): number => this.now + between(this.parts.dice, 0.3, 2) * DAY;

  /** Takes what has waited long enough out of a list. */
  private ripe<T extends Waits>(list: T[]): T[] {
    const ripe = list.filter(({ due }) => due <= this.now);
    for (const each of ripe) list.splice(list.indexOf(each), 1);
    return ripe;
  }
}

const ticketOf = ({ subject, message, category, priority }: (typeof TICKETS)[number]) => ({ subject, message, category, priority });
