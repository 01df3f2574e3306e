/** What an account is called: its owner's name for it, else its tier. */
export const accountName = ({ name, accountType }: { name: string | null; accountType: string }): string => name ?? accountType;
