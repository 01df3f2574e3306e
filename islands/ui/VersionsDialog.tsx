import type { ReactNode } from "react";
import { Button } from "../../views/ui/Button";
import { Dialog } from "../../views/ui/Dialog";
import { ErrorState, Skeleton } from "../../views/ui/States";
import { useRead } from "./read_once";

type Props<V> = {
  id: string;
  /** Whose versions. */
  of: string;
  ask: () => Promise<V[]>;
  /** What a version says, and below it when, by whom and why. */
  said: (version: V) => ReactNode;
  made: (version: V) => string;
  onClose: () => void;
};

/** What staff change in versions, each as it was, the newest first. */
export function VersionsDialog<V extends { version: number }>({ id, of, ask, said, made, onClose }: Props<V>) {
  // It stays open for one row.
  const { read: versions, again } = useRead(ask);
  return (
    <Dialog id={id} title={`Versions of ${of}`} open onClose={onClose} wide>
      {versions === null ? <Skeleton className="h-40" /> : null}
      {versions === "failed" ? <ErrorState title="The versions did not come" retry={<Button onClick={again}>Try again</Button>} /> : null}
      {Array.isArray(versions) ? (
        <ol className="flex flex-col">
          {versions.map((version) => (
            <li key={version.version} className="border-b border-line py-2 [overflow-wrap:anywhere] last:border-b-0">
              <p className="font-medium">
                {version.version}. {said(version)}
              </p>
              <p className="text-table text-soft">{made(version)}</p>
            </li>
          ))}
        </ol>
      ) : null}
    </Dialog>
  );
}

type Deeds = { of: string; change?: string; onChange: (() => void) | null; onVersions: (() => void) | null };
/** A row's buttons: to change it, and to see how it was; none where that can't be. */
export const VersionedDeeds = ({ of, change = "Change", onChange, onVersions }: Deeds) => (
  <span className="js-only flex gap-2 md:justify-end">
    {onChange ? (
      <Button variant="quiet" size="small" aria-label={`${change} ${of}`} onClick={onChange}>
        {change}
      </Button>
    ) : null}
    {onVersions ? (
      <Button variant="quiet" size="small" aria-label={`Versions of ${of}`} onClick={onVersions}>
        Versions
      </Button>
    ) : null}
  </span>
);
