import Verification from "../../islands/compliance/Verification";
import type { Verification as Facts } from "../../src/compliance/schema";

/** Where a person shows who they are. */
export const VerificationPage = (props: { verification: Facts; said?: { kind: string; message: string } }) => (
  <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-6 px-4 py-8 md:px-6 md:py-12">
    <div>
      <h1 className="text-title font-semibold">Verification</h1>
      <p className="mt-2 text-soft">
        Documents that show who you are and where you live. They are kept encrypted, only staff who check them see them, and each look is noted here.
      </p>
    </div>
    <Verification {...props} />
  </div>
);
