import type { DataExport } from "../../src/compliance/schema_privacy";
import { Button } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Field } from "../ui/Field";
import { dateText, instantText } from "../ui/instant";
import { Notice } from "../ui/States";
import { sizeText } from "./words";

export type PrivacySaid = { errors: Partial<Record<string, string>>; message?: string };
type Props = { exports: DataExport[]; /** For how long the books are kept. */ years: number; asksCode: boolean; said?: PrivacySaid };

const FRAME = "mx-auto flex w-full max-w-[40rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12";

/** What is kept about oneself: in one file, and the way out. Plain forms. */
export const MyDataPage = ({ exports, years, asksCode, said = { errors: {} } }: Props) => (
  <div className={FRAME}>
    <div>
      <h1 className="text-title font-semibold">Your data</h1>
      <p className="mt-2 text-soft">Everything that is kept about you, in one file; and how to close your account.</p>
    </div>
    {said.message ? <Notice kind="error">{said.message}</Notice> : null}
    <Panel title="One file with all of it">
      <p className="mb-4">
        A ZIP with your data as JSON and every document and file that you sent. It is put together in the background; a letter tells when it is ready, and it is
        kept for a week.
      </p>
      {exports.length === 0 ? null : (
        <ul aria-label="Your exports" className="mb-4 flex flex-col divide-y divide-line">
          {exports.map((each) => (
            <li key={each.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2">
              <span className="text-table text-soft">{`Asked for ${instantText(each.createdAt).slice(0, 16)} UTC`}</span>
              <State {...each} />
            </li>
          ))}
        </ul>
      )}
      <form method="post" action="/my-data" className="flex justify-end">
        <Button type="submit" variant="secondary">
          Put my data together
        </Button>
      </form>
    </Panel>
    <Panel title="Close the account" id="close">
      <p className="mb-3">
        Your name, your email address, your documents, your devices and the addresses of your withdrawals are erased at once, and nobody can sign in any more.{" "}
        {keptWords(years)} It can't be undone. Withdraw your money and close your positions first.
      </p>
      <form noValidate method="post" action="/my-data" className="flex flex-col gap-4">
        <input type="hidden" name="step" value="close" />
        <Field
          id="close-confirm"
          name="confirm"
          label="Write CLOSE to confirm"
          autoComplete="off"
          autoCapitalize="characters"
          maxLength={10}
          required
          error={said.errors.confirm}
        />
        <Field
          id="close-password"
          name="password"
          type="password"
          label="Your password"
          autoComplete="current-password"
          maxLength={200}
          required
          spellCheck={false}
          autoCapitalize="none"
          error={said.errors.password}
        />
        {asksCode ? (
          <Field
            id="close-code"
            name="code"
            label="Authentication code"
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={24}
            required
            error={said.errors.code}
          />
        ) : null}
        <div className="flex justify-end">
          <Button type="submit" variant="danger">
            Close my account
          </Button>
        </div>
      </form>
    </Panel>
  </div>
);

const keptWords = (years: number) =>
  `What was booked and dealt, your deposits and withdrawals, what you wrote to support and the book of what staff did are kept without your name for ${years} ${years === 1 ? "year" : "years"}, since the law asks for it. After that what you wrote and the addresses that money went to are deleted; bookings, deals and that book stay, without your name.`;

const State = ({ id, status, size, expiresAt }: DataExport) =>
  status === "ready" ? (
    <a href={`/api/user/exports/${id}`} className="inline-flex min-h-11 items-center text-accent underline underline-offset-4">
      {`Download (${sizeText(size ?? 0)}), until ${dateText(expiresAt)}`}
    </a>
  ) : (
    <span className="inline-flex min-h-11 items-center text-table">
      {status === "waiting" ? "Is being put together" : "Could not be put together. Please try again."}
    </span>
  );

/** The last page of an account. */
export const ClosedPage = ({ until }: { until: string }) => (
  <div className={FRAME}>
    <h1 className="text-title font-semibold">Your account is closed</h1>
    <p>
      Your name, your contacts and your documents were erased. What was booked and dealt is kept without your name until {dateText(until)}, since the law asks
      for it.
    </p>
  </div>
);
