import { useEffect } from "react";
import { proveBy } from "../wire/api";

/** For pages with decisions: one that needs a fresh proof asks for it, and then goes on by itself. The prompt's code comes when it is first needed. */
export const useProofPrompt = () => useEffect(() => proveBy(() => import("./ProofDialog").then(({ askProof }) => askProof())), []);
