import CopyText from "../../islands/ui/CopyText";
import PrintButton from "../../islands/ui/PrintButton";
import { ButtonLink } from "../ui/Button";
import { Panel } from "../ui/Card";
import { Icon } from "../ui/Icon";
import { Notice } from "../ui/States";

/** The recovery codes, the one time that they can be read. `fresh`: the second factor was switched on with them. */
export function RecoveryCodeList({ codes, fresh, staff }: { codes: string[]; fresh: boolean; staff: boolean }) {
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <Notice kind="success" title={fresh ? "Two-factor sign-in is on" : "Your new recovery codes"}>
        {fresh ? "From now on signing in takes a code from your app. " : "The earlier ones no longer work. "}
        Your other sessions were ended.
      </Notice>
      <Panel title="Recovery codes" action={<CopyText text={text} what="Codes" />}>
        <p className="mb-4 text-[0.9375rem]">
          <strong className="font-semibold">Keep these now: they are not shown again.</strong> Each lets you in once, in place of a code from the app.
        </p>
        <ul aria-label="Recovery codes" className="grid gap-x-8 gap-y-1 font-mono text-base tabular-nums sm:grid-cols-2">
          {codes.map((code) => (
            <li key={code} className="py-1">
              {code}
            </li>
          ))}
        </ul>
        <div className="mt-6 flex flex-wrap justify-end gap-2">
          <PrintButton />
          <ButtonLink variant="secondary" href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`} download="recovery-codes.txt">
            <Icon name="download" className="size-5" />
            Download
          </ButtonLink>
          <ButtonLink href={staff ? "/admin" : "/profile"}>I have kept them</ButtonLink>
        </div>
      </Panel>
    </>
  );
}
