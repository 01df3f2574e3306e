import { countryName } from "../../src/visitors/rules";
import { flags } from "./flags";

/** A visitor's country: its flag where it can be drawn, its code, and its name for who hears or points. */
export function Flag({ country }: { country: string | null }) {
  const name = countryName(country);
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap align-middle" data-tip={name} role="img" aria-label={name}>
      {country && flags[country] ? <Drawing country={country} /> : null}
      <span aria-hidden="true" className="text-note font-medium text-soft">
        {country ?? "–"}
      </span>
    </span>
  );
}

function Drawing({ country }: { country: string }) {
  const { stripes, colours, cross = [], disc, over = [] } = flags[country] ?? { stripes: "across", colours: [] };
  const part = (stripes === "across" ? 14 : 20) / colours.length;
  return (
    <svg viewBox="0 0 20 14" aria-hidden="true" className="h-3.5 w-5 shrink-0 rounded-[2px] border border-line">
      {colours.map((fill, n) =>
        stripes === "across" ? (
          <rect key={n} x="0" y={n * part} width="20" height={part + 0.1} fill={fill} />
        ) : (
          <rect key={n} x={n * part} y="0" width={part + 0.1} height="14" fill={fill} />
        ),
      )}
      {cross.map((fill, n) => {
        const width = n === 0 ? 3 : 1.5;
        return <path key={fill} d={`M0 ${7 - width / 2}h20v${width}H0zM${7.5 - width / 2} 0h${width}v14h-${width}z`} fill={fill} />;
      })}
      {over.map(([fill, path]) => (
        <path key={fill} d={path} fill={fill} />
      ))}
      {disc ? <circle cx="10" cy="7" r={colours.length > 1 ? 2 : 4} fill={disc} /> : null}
    </svg>
  );
}
