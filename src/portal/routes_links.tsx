import type { House } from "../platform/house";
import { Doors, redirect } from "../platform/http";

/** Addresses that lead to the nearest screen. */
export const linkDoors = (house: House): Doors =>
  new Doors(house)
    .userPage("/positions", () => redirect("/traders-portal?tab=positions#lists"))
    .userPage("/markets", () => redirect("/traders-portal?tab=forex#lists"))
    .userPage("/crypto-trading", () => redirect("/traders-portal?tab=crypto#lists"))
    .userPage("/charts", () => redirect("/trading?tab=charts"))
    .page("/demo", ({ me }) => redirect(me ? "/traders-portal" : "/register"))
    .page("/auth", ({ me }) => redirect(me ? "/dashboard" : "/login"));
