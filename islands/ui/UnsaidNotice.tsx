import { Notice } from "../../views/ui/States";
import type { Unsaid } from "../wire/form_faults";

/** What was refused and has no field in the form: else nothing would say why it is not sent. `useForm` moves the focus here. */
export const UnsaidNotice = ({ of }: { of: readonly Unsaid[] }) =>
  of.length === 0 ? null : (
    <div data-unsaid="" tabIndex={-1}>
      <Notice kind="error" title="This form has no field for what was refused">
        <ul>
          {of.map(({ about, sentence }) => (
            <li key={about}>{`${about}: ${sentence}`}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
