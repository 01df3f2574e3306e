import { useSyncExternalStore } from "react";
import { PHONE, WORKSTATION } from "../../views/ui/screens";

const asked = new Map<string, MediaQueryList>();
const list = (query: string) => {
  const known = asked.get(query) ?? matchMedia(query);
  asked.set(query, known);
  return known;
};

function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (heard) => {
      const media = list(query);
      media.addEventListener("change", heard);
      return () => media.removeEventListener("change", heard);
    },
    () => list(query).matches,
    () => false,
  );
}

/** Everything stands on one screen. False on the server, and for the first drawing. */
export const useWorkstation = () => useMedia(WORKSTATION);
/** Orders are written in a sheet over the chart. */
export const isPhone = () => list(PHONE).matches;
