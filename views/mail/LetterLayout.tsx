import { FREEZE_WORDS, KEY_WORDS, type Frame, type Letter, type Prose } from "./letter";
import { darkCss, framedCss, type Wear, wornAtElements, wornByName } from "./looks";
import { MarkedHtml, whole } from "./Marked";

type Worn = { wear: Wear };

/** A letter as HTML: one column, no pictures, nothing fetched from anywhere. `framed`: for a frame of the panel, where it looks the same. */
export function LetterLayout({ letter, frame, framed = false }: { letter: Letter; frame: Frame; framed?: boolean }) {
  const { subject, words, facts = [], action, after = [] } = letter;
  const wear = framed ? wornByName : wornAtElements(frame.colours);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: framed ? framedCss(frame.colours) : darkCss(frame.colours) }} />
      </head>
      <body className="paper" {...wear("body")}>
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} {...wear("ground")}>
          <tbody>
            <tr>
              <td align="center" className="paper" {...wear("paper")}>
                <div {...wear("column")}>
                  <p className="ink" {...wear("brand")}>
                    {frame.brand}
                  </p>
                  <div className="card" {...wear("card")}>
                    <h1 className="ink" {...wear("title")}>
                      {subject}
                    </h1>
                    <Said prose={words} {...{ wear, home: frame.home }} />
                    {facts.length > 0 ? <Facts {...{ facts, wear }} /> : null}
                    {action ? <Action {...{ action, wear }} /> : null}
                    <Said prose={after} {...{ wear, home: frame.home }} />
                    {frame.freeze ? (
                      <p className="soft rule" {...wear("freeze")}>
                        {FREEZE_WORDS}{" "}
                        <a className="link" {...wear("address")} href={frame.freeze}>
                          This was not me
                        </a>
                      </p>
                    ) : null}
                  </div>
                  <Foot {...{ frame, wear }} />
                </div>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const Said = ({ prose, wear, home }: Worn & { prose: Prose; home: string }) =>
  Array.isArray(prose) ? (
    prose.map((paragraph, n) => (
      <p key={n} className="ink" {...wear("text")}>
        {whole(paragraph, wear)}
      </p>
    ))
  ) : (
    <MarkedHtml of={prose} {...{ wear, home }} />
  );

const Facts = ({ facts, wear }: Worn & { facts: [string, string][] }) => (
  <table width="100%" cellPadding={0} cellSpacing={0} {...wear("facts")}>
    <tbody>
      {facts.map(([name, value]) => (
        <tr key={name}>
          <th scope="row" align="left" className="soft rule" {...wear("factName")}>
            {name}
          </th>
          <td className="ink rule" {...wear("fact")}>
            {whole(value, wear)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Action = ({ action: { label, url, note }, wear }: Worn & { action: NonNullable<Letter["action"]> }) => (
  <>
    <p {...wear("deed")}>
      <a className="button" href={url} {...wear("button")}>
        {label}
      </a>
    </p>
    <p className="soft" {...wear("small")}>
      {note ? `${note} ` : ""}If the button does nothing, open this address:{" "}
      <a className="link" {...wear("address")} href={url}>
        {url}
      </a>
    </p>
  </>
);

const Foot = ({ frame: { brand, home, settings, logKey, unsubscribe }, wear }: Worn & { frame: Frame }) => (
  <div {...wear("foot")}>
    <p className="soft" {...wear("small")}>
      {brand},{" "}
      <a className="link" {...wear("address")} href={home}>
        {home.replace(/^https?:\/\//, "")}
      </a>
    </p>
    {logKey ? (
      <p className="soft" {...wear("small")}>
        {KEY_WORDS} at{" "}
        <a className="link" {...wear("address")} href={`${home}/verify`}>
          {home.replace(/^https?:\/\//, "")}/verify
        </a>
        : <span {...wear("key")}>{logKey}</span>
      </p>
    ) : null}
    {unsubscribe ? (
      <p className="soft" {...wear("small")}>
        <a className="link" {...wear("address")} href={unsubscribe}>
          No more letters of this kind
        </a>
        {" or "}
        <a className="link" {...wear("address")} href={settings}>
          all choices
        </a>
      </p>
    ) : null}
  </div>
);
