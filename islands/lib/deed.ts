import { ApiError } from "./api";
import { toast } from "./toasts";

/** Shows a refusal as a toast. A lost session is not told: `call` has said so already, and toasts show one at a time. */
export function tellRefusal(title: string, error: ApiError) {
  if (error.status !== 401) toast({ title, description: error.message, variant: "destructive" });
}

/** Carries out a deed; a refusal becomes a toast of that title, and null comes back. What is no refusal goes on to the console. */
export async function attempt<T>(title: string, deed: () => Promise<T>): Promise<T | null> {
  try {
    return await deed();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    tellRefusal(title, error);
    return null;
  }
}
