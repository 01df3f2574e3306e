import { createContext, type ReactNode, useContext } from "react";

const marks = createContext<(key: string) => ReactNode>(() => null);
/** Says what stands in the rows within it, by their keys, in the place of their deeds once they were decided or left the list: null for a row that is as ever. */
export const RowMarks = marks.Provider;
export const useMarks = () => useContext(marks);
