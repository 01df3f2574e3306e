import { ApiError } from "./api";
import { toast } from "./toasts";

/** Carries out a deed; a refusal becomes a toast of that title, and null comes back. What is no refusal goes on to the console. */
export async function attempt<T>(title: string, deed: () => Promise<T>): Promise<T | null> {
  try {
    return await deed();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    toast({ title, description: error.message, variant: "destructive" });
    return null;
  }
}
