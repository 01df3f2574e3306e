/** A word of the database for the eye: "moderate" → "Moderate". */
export const titled = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
