import { CHAT_MINUTES } from "../../src/lib/promises";
import { priorities } from "../../src/support/schema";
import type { Company } from "./company";
import { Card } from "../ui/Card";
import { Icon } from "../ui/Icon";
import { PRIORITY } from "./words";

/** What stands beside the tickets: how else to reach us, and how soon we answer. */
export const SupportAside = ({ company }: { company: Pick<Company, "phone" | "email"> }) => (
  <aside aria-label="Contact" className="flex flex-col gap-4">
    <Card label="Contact details" className="p-4">
      <h2 className="mb-3 text-[0.9375rem] font-semibold">Contact details</h2>
      <ul className="flex flex-col gap-3 text-product">
        <li className="flex gap-3">
          <Icon name="clock" className="mt-0.5 size-5 text-soft" />
          <span>Support 24/7</span>
        </li>
        <Detail icon="mail" fact={company.email} />
        <Detail icon="phone" fact={company.phone} />
        <li className="flex gap-3">
          <Icon name="chevronRight" className="mt-0.5 size-5 text-soft" />
          <a href="/contact" className="text-accent underline underline-offset-2 max-md:inline-flex max-md:min-h-11">
            Contact page
          </a>
        </li>
      </ul>
    </Card>
    <Card label="Response times" className="p-4">
      <table className="w-full text-product">
        <caption className="mb-2 text-left text-[0.9375rem] font-semibold">Response times</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Priority</th>
            <th scope="col">We answer within</th>
          </tr>
        </thead>
        <tbody>
          {priorities.toReversed().map((priority) => (
            <tr key={priority} className="border-t border-line">
              <th scope="row" className="py-2 text-left font-normal text-soft">
                {PRIORITY[priority].label}
              </th>
              <td className="py-2 text-right tabular-nums">{PRIORITY[priority].response}</td>
            </tr>
          ))}
          <tr className="border-t border-line">
            <th scope="row" className="py-2 text-left font-normal text-soft">
              Live chat
            </th>
            <td className="py-2 text-right tabular-nums">{`${CHAT_MINUTES} minutes`}</td>
          </tr>
        </tbody>
      </table>
    </Card>
  </aside>
);

const Detail = ({ icon, fact }: { icon: "mail" | "phone"; fact: Company["email"] }) =>
  fact ? (
    <li className="flex gap-3">
      <Icon name={icon} className="mt-0.5 size-5 text-soft" />
      <span className="[overflow-wrap:anywhere]">
        {fact.text}
        {fact.sample ? <span className="block text-note text-soft">Sample, for demonstration</span> : null}
      </span>
    </li>
  ) : null;
