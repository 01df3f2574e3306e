import type { ReactNode } from "react";
import type { ShownClaim } from "../../src/texts/schema_claims";
import { PageIcon, type PageIconName } from "../ui/PageIcon";

export const Badge = ({ icon, children }: { icon: PageIconName; children: ReactNode }) => (
  <li className="inline-flex items-center gap-2 rounded-full border border-control px-4 py-2">
    <PageIcon name={icon} className="size-4 text-accent" />
    {children}
  </li>
);

const ICONS: Record<ShownClaim["kind"], PageIconName> = { award: "medal", licence: "shield", client_numbers: "chart", other: "book" };

/** What the operator claims, each with what proves it: items of a list. */
export const ClaimBadges = ({ claims }: { claims: readonly ShownClaim[] }) =>
  claims.map(({ kind, text, evidence, link }) => (
    <Badge key={`${kind} ${text}`} icon={ICONS[kind]}>
      <span className="[overflow-wrap:anywhere]">
        {text}{" "}
        {link ? (
          <a href={link} rel="noopener noreferrer" className="text-table text-accent underline underline-offset-2">
            {evidence}
          </a>
        ) : (
          <span className="text-table text-soft">{evidence}</span>
        )}
      </span>
    </Badge>
  ));
