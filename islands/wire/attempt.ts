import { ApiError } from "./api";
import { toast } from "./toasts";

/** Shows a refusal as a toast, but not a lost session: `call` has shown that already, and toasts show one at a time. `silent`: what is said where the refusal says nothing. */
export function tellRefusal(title: string, error: ApiError, silent?: string) {
  if (error.status !== 401) toast({ title: error.title ?? title, description: error.message || silent, variant: "destructive" });
}

/** Carries out an action; a refusal becomes a toast of that title, and null comes back. What is no refusal goes on to the console. */
export async function attempt<T>(title: string, action: () => Promise<T>, silent?: string): Promise<T | null> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal(title, error, silent);
    return null;
  }
}
