import { adminTabKeys } from "../../views/admin/tabs";
import { Dialog } from "../../views/ui/Dialog";

const KEYS = [
  ["j", "Next row"],
  ["k", "Previous row"],
  ["o", "Open it, or what of it was too long"],
  ["x", "Select it"],
  ["X", "Select all shown, or none"],
  ["a", "Approve it, or all that are selected"],
  ["r", "Reject it"],
  ["z", "Put it away"],
  ["/", "Search this list"],
  ["Ctrl K", "Search everything, and commands (on a Mac ⌘ K)"],
  ["Ctrl Enter", "Send a dialog or an answer from its text (on a Mac ⌘ Enter)"],
  ["Ctrl Shift Enter", "Send an answer, resolve, and open the next"],
  [";", "In an answer: a ready answer by its name"],
  ["Esc", "Close a dialog"],
  ["?", "This list"],
] as const;

const Keys = ({ keys }: { keys: readonly (readonly [key: string, meaning: string])[] }) => (
  <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-2">
    {keys.map(([key, meaning]) => (
      <div key={key} className="contents">
        <dt>
          <kbd className="whitespace-nowrap rounded-control border border-line bg-sunken px-2 py-0.5 font-mono text-note">{key}</kbd>
        </dt>
        <dd>{meaning}</dd>
      </div>
    ))}
  </dl>
);

/** Every key of the staff's pages. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog id="key-sheet" title="Keyboard shortcuts" open wide onClose={onClose}>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Keys keys={KEYS} />
        <Keys keys={adminTabKeys().map(({ key, label }) => [`g ${key}`, label] as const)} />
      </div>
    </Dialog>
  );
}
