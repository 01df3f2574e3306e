import * as v from "valibot";
import { declineBody, declineDeed, listSignatures, type Signature, signDeed } from "../../src/identity/schema_signatures";
import { may } from "../../src/lib/may";
import { isPermission } from "../../src/lib/permissions";
import { changesOf, DEED_WORDS, SignatureCard } from "../../views/identity/SignatureCard";
import { Button } from "../../views/ui/Button";
import { TextField } from "../../views/ui/Field";
import { EmptyState } from "../../views/ui/States";
import { island } from "../runtime/island";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { LostNotice } from "../ui/LostNotice";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

type Props = { signatures: Signature[]; status: "all" | Signature["status"]; me: string };
type Asked = { word: "sign" | "decline" | "take back"; row: Signature };

const maySign = ({ permission, userId }: Signature, me: string) => may("signatures.sign") && isPermission(permission) && may(permission) && userId !== me;

/** What has a door of its own, too, waits until it is decided. */
const mayTakeBack = ({ deed }: Signature) => may("signatures.sign") && deed !== "role" && deed !== "correction";

/** What waits for a second person, each with what it changes and the two words on it. */
export function AdminSignatures({ signatures, status, me }: Props) {
  const { value, lost } = useLive(signatures, () => call(listSignatures, undefined, { query: { status } }), ["signature", "person", "correction"]);
  const [asked, ask, close] = useAsked<Asked>();
  return (
    <div className="flex flex-col gap-3">
      {lost ? <LostNotice /> : null}
      {value.length === 0 ? (
        <EmptyState icon="check" title={status === "pending" ? "Nothing waits" : "Nothing here yet"}>
          {status === "pending" ? "What takes a second person appears here by itself." : null}
        </EmptyState>
      ) : (
        value.map((row) => (
          <SignatureCard key={row.id} row={row}>
            {row.status !== "pending" ? null : row.adminUserId === me ? (
              <div className="flex flex-wrap items-center gap-2">
                <p className="text-table text-soft">You asked for this. Somebody else signs it.</p>
                {mayTakeBack(row) ? (
                  <Button
                    size="small"
                    variant="secondary"
                    className="js-only"
                    aria-label={`Take back: ${row.title}`}
                    onClick={() => ask({ word: "take back", row })}
                  >
                    Take back
                  </Button>
                ) : null}
              </div>
            ) : maySign(row, me) ? (
              <div className="js-only flex flex-wrap gap-2">
                <Button size="small" aria-label={`Sign: ${row.title}`} onClick={() => ask({ word: "sign", row })}>
                  Sign
                </Button>
                <Button size="small" variant="secondary" aria-label={`Decline: ${row.title}`} onClick={() => ask({ word: "decline", row })}>
                  Decline
                </Button>
              </div>
            ) : null}
          </SignatureCard>
        ))
      )}
      {asked ? <Verdict key={`${asked.word} ${asked.row.id}`} {...asked} onClose={close} /> : null}
    </div>
  );
}

const NOES = {
  decline: { title: "Decline", consequence: "Everything stays as it is.", busy: "Declining...", done: "Declined" },
  "take back": { title: "Take back", consequence: "Nobody can sign it any more. Everything stays as it is.", busy: "Taking back...", done: "Taken back" },
} as const;

function Verdict({ word, row, onClose }: Asked & { onClose: () => void }) {
  const params = { id: row.id };
  const no = NOES[word === "sign" ? "decline" : word];
  return word === "sign" ? (
    <ActionDialog
      id="signature"
      title={`Sign: ${row.title}`}
      consequence={
        <>
          {`${DEED_WORDS[row.deed]}, asked for by ${row.administrator}. It is done at once.`}
          {changesOf(row).map(([name, was, is]) => (
            <span key={name} className="block [overflow-wrap:anywhere]">{`${name}: ${was} → ${is}`}</span>
          ))}
        </>
      }
      schema={v.object({})}
      names={[]}
      fields={() => null}
      submit="Sign"
      busy="Signing..."
      danger
      begin="button"
      send={async () => {
        await call(signDeed, undefined, { params });
        toast({ title: "Signed", description: row.title });
      }}
      onClose={onClose}
    />
  ) : (
    <ActionDialog
      id="signature"
      title={`${no.title}: ${row.title}`}
      consequence={no.consequence}
      schema={declineBody}
      names={["reason"]}
      fields={(messages) => (
        <TextField id="signature-reason" name="reason" label="Reason (optional, for staff)" rows={3} maxLength={500} error={messages.reason} />
      )}
      submit={no.title}
      busy={no.busy}
      send={async ({ reason }) => {
        await call(declineDeed, { reason: reason ?? "" }, { params });
        toast({ title: no.done, description: row.title });
      }}
      onClose={onClose}
    />
  );
}

export default island("AdminSignatures", AdminSignatures);
