/** Stands in for `useSignals` in the browser, where Preact notes by itself which signals a component reads. */
export const useSignals = () => {};
