import type { ReactNode } from "react";
import type { Company, Fact } from "../support/company";
import { PageHead } from "./PageHead";
import { SampleMark } from "../ui/SampleMark";

type Props = {
  brand: string;
  /** The name the site was asked for under, or the operator's own address. */
  host: string;
  secure: boolean;
  company: Company;
  demonstration: boolean;
  licence: string | null;
  /** When this page was made, in UTC. */
  generatedAt: Date;
};
type Row = { name: string; value: ReactNode };

const shown = (fact: Fact | null): ReactNode =>
  fact ? (
    <>
      {fact.text} {fact.sample ? <SampleMark /> : null}
    </>
  ) : null;

/** Who runs this site and under which name, so that a visitor can tell it from a copy. */
export function DomainPage({ brand, host, secure, company, demonstration, licence, generatedAt }: Props) {
  const at = generatedAt.toISOString();
  const companyRows: Row[] = [
    { name: "Trading name", value: brand },
    { name: "Company", value: shown(company.name) },
    { name: "Registration number", value: shown(company.number) },
    { name: "Registered address", value: shown(company.address) },
    { name: "Email", value: shown(company.email) },
    { name: "Licence", value: demonstration ? "None: this installation is a demonstration and holds no licence" : licence },
  ];
  const domainRows: Row[] = [
    { name: "Domain", value: <span className="break-all font-mono text-product">{host}</span> },
    { name: "Registration", value: shown(company.domain) },
    { name: "Connection", value: secure ? "Encrypted (https)" : "Not encrypted (http): never enter a real password here" },
    { name: "Other addresses", value: "None. Any other site under our name is not ours." },
  ];
  return (
    <>
      <PageHead
        title="Domain verification"
        lead="Copies of brokers' sites are a common fraud. Compare what stands here with the address bar of your browser before you sign in."
      />
      <div className="mx-auto grid grid-cols-1 w-full max-w-[70rem] gap-x-16 gap-y-12 px-4 md:px-6 lg:grid-cols-2">
        <Facts title="Company details" rows={companyRows} />
        <div>
          <Facts title="Domain registration" rows={domainRows} />
          <p className="mt-8 text-table text-soft">
            This page was generated at <time dateTime={at}>{`${at.slice(0, 10)} ${at.slice(11, 19)} UTC`}</time>.
          </p>
        </div>
      </div>
    </>
  );
}

const Facts = ({ title, rows }: { title: string; rows: Row[] }) => (
  <section aria-label={title}>
    <h2 className="font-serif text-title">{title}</h2>
    <dl className="mt-5 border-t border-line text-[0.9375rem] leading-6">
      {rows.map(({ name, value }) =>
        value === null ? null : (
          <div key={name} className="grid grid-cols-1 gap-x-6 border-b border-line py-3 sm:grid-cols-[11rem_1fr]">
            <dt className="text-soft">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ),
      )}
    </dl>
  </section>
);
