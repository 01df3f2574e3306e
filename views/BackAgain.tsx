import { Notice } from "./ui/States";

/** Above a form whose sender had to sign in first. */
export const BackAgain = () => (
  <Notice title="You are signed in, and this was not sent yet." className="w-full">
    Look at what you wrote, then press the button.
  </Notice>
);
