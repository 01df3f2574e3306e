import { useEffect, useRef, useState } from "react";
import { ChartCell, type ChartChoice } from "../../views/trading/ChartCell";
import { ChartPicture } from "../../views/trading/ChartFrame";
import { useNear } from "../runtime/live";
import { useChart } from "./use_chart";

type Props = { chart: ChartChoice; slot: number; picture: string; here: boolean; fills?: string; utc?: boolean; onChoose: (choice: ChartChoice) => void };

/** One chart of several; its code is asked for when it first comes near the screen. `fills`: where it stands in a grid, whose height it takes. `utc`: it tells the time so, and not by the device's clock. */
export function LiveChart({ chart: { symbol, interval }, slot, picture, here, fills = "", utc = true, onChoose }: Props) {
  const place = useRef<HTMLLIElement>(null);
  const near = useNear(place, false);
  const [wanted, setWanted] = useState(false);
  if (near && !wanted) setWanted(true);
  const { ground, view, drawn, state, retry } = useChart(symbol, interval, here, wanted);
  useEffect(() => view?.host.setClock(utc), [view, utc]);
  return (
    <li ref={place} className={fills ? `flex min-h-0 min-w-0 flex-col ${fills}` : "min-w-0"}>
      <ChartCell slot={slot} chart={{ symbol, interval }} state={state} fills={fills !== ""} onChoose={onChoose} onRetry={retry}>
        {drawn || !picture ? null : <ChartPicture path={picture} />}
        <div ref={ground} className="absolute inset-0" />
      </ChartCell>
    </li>
  );
}
