import { changeNoticeHours, type NoticeHours, noticeBody, readNoticeHours } from "../../src/admin/schema";
import { may } from "../../src/lib/may";
import { Button } from "../../views/ui/Button";
import { Field, TextField } from "../../views/ui/Field";
import { useAsked, useLive } from "../runtime/live_list";
import { ActionDialog } from "../ui/ActionDialog";
import { call } from "../wire/api";
import { toast } from "../wire/toasts";

const hoursText = (hours: number) => (hours === 1 ? "an hour" : `${hours} hours`);

/** Says how long worse terms wait where somebody holds a position, and lets that be changed. */
export function NoticeButton({ notice }: { notice: NoticeHours }) {
  const { value } = useLive(notice, () => call(readNoticeHours), ["setting"]);
  const [asked, ask, close] = useAsked<true>();
  const words = `Worse terms wait ${hoursText(value.hours)}`;
  if (!may("groups.change")) return <span className="text-table text-soft">{words}</span>;
  return (
    <>
      <Button variant="quiet" size="small" className="js-only" onClick={() => ask(true)}>
        {words}
      </Button>
      {asked ? (
        <ActionDialog
          id="notice"
          title="Notice before worse terms"
          consequence="So long a wider spread, a higher commission, a worse swap or less leverage waits where somebody holds a position. What was announced keeps its time."
          schema={noticeBody}
          names={["hours", "reason"]}
          mends
          fields={(messages) => (
            <>
              <Field
                id="notice-hours"
                name="hours"
                label="Hours"
                inputMode="numeric"
                autoComplete="off"
                defaultValue={String(value.hours)}
                error={messages.hours}
              />
              <TextField id="notice-reason" name="reason" label="Reason" rows={2} maxLength={500} error={messages.reason} />
            </>
          )}
          submit="Save"
          busy="Saving..."
          send={async (body) => {
            const { hours } = await call(changeNoticeHours, body);
            toast({ title: "Setting saved", description: `Worse terms wait ${hoursText(hours)}.` });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}
