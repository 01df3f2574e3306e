import type { AppContext } from "../platform/app_context";
import { Routes, redirect } from "../platform/http/routes";

/** Addresses that lead to the nearest screen. */
export const linkRoutes = (app: AppContext): Routes =>
  new Routes(app, import.meta.path)
    .userPage("/positions", () => redirect("/traders-portal?tab=positions#lists"))
    .userPage("/markets", () => redirect("/traders-portal?tab=forex#lists"))
    .userPage("/crypto-trading", () => redirect("/traders-portal?tab=crypto#lists"))
    .userPage("/charts", () => redirect("/trading?tab=charts"))
    .page("/demo", ({ me }) => redirect(me ? "/traders-portal" : "/register"))
    .page("/auth", ({ me }) => redirect(me ? "/dashboard" : "/login"));
