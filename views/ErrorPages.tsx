import { ButtonLink } from "./ui/Button";

function Message({ code, title, text, href, action }: { code: string; title: string; text: string; href: string; action: string }) {
  return (
    <div className="mx-auto flex max-w-[70rem] flex-col items-start gap-4 px-4 py-20 md:px-6 md:py-32">
      <p className="text-table text-soft">{code}</p>
      <h1 className="font-serif text-section">{title}</h1>
      <p className="max-w-prose text-soft">{text}</p>
      <ButtonLink href={href} className="mt-4">
        {action}
      </ButtonLink>
    </div>
  );
}

export const NotFoundPage = () => (
  <Message code="404" title="Page Not Found" text="The page you are looking for does not exist or has been moved." href="/" action="Back to Home" />
);

/** Says what happened, in the refusal's own words; with `again`, the way on is to ask for the same page once more. */
export const ErrorPage = ({ title, message, again }: { title: string; message: string; again: boolean }) => (
  <Message code="Error" title={title} text={message} href={again ? "" : "/"} action={again ? "Try again" : "Back to Home"} />
);

/** What the installed app shows without a connection. It is the same for everyone and holds nothing of anyone. */
export const OfflinePage = () => (
  <Message
    code="Offline"
    title="You are offline"
    text="Prices, balances and orders are only ever shown live, so there is nothing to show until the connection is back. Your stops and targets go on working without you."
    href=""
    action="Try again"
  />
);
