import type { CSSProperties } from "react";
import { palette } from "../palette";
import { FREEZE_WORDS, KEY_WORDS, type Frame, type Letter } from "./letter";

const { light, dark } = palette;
const SANS = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const SERIF = "'Iowan Old Style','Palatino Linotype',Palatino,Georgia,serif";

/** Mail programs read styles at the elements; those that know the dark read these, too. */
const DARK = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
body,.paper{background:${dark.paper}!important}
.card{background:${dark.surface}!important;border-color:${dark.line}!important}
.ink{color:${dark.ink}!important}.soft{color:${dark.soft}!important}.link{color:${dark.accent}!important}
.rule{border-color:${dark.line}!important}
.button{background:${dark.accent}!important;color:${dark["on-accent"]}!important}
}`;

const text: CSSProperties = { margin: "0 0 16px", font: `400 16px/24px ${SANS}`, color: light.ink };
const small: CSSProperties = { margin: "0 0 8px", font: `400 13px/20px ${SANS}`, color: light.soft };
const link: CSSProperties = { color: light.accent, wordBreak: "break-all" };
const cell: CSSProperties = { padding: "8px 0", borderTop: `1px solid ${light.line}`, font: `400 15px/22px ${SANS}`, verticalAlign: "top" };

const UNBROKEN = /(−\$[\d,.]*\d|\b\d{4}-\d\d-\d\d\b)/;
/** A text whose losses and dates stand on one line each: a browser breaks it after '−' and after a hyphen. */
const whole = (words: string) =>
  words.split(UNBROKEN).map((part, n) =>
    n % 2 ? (
      <span key={n} style={{ whiteSpace: "nowrap" }}>
        {part}
      </span>
    ) : (
      part
    ),
  );

/** A letter as HTML: one column, no pictures, nothing fetched from anywhere. */
export function LetterLayout({ letter, frame }: { letter: Letter; frame: Frame }) {
  const { subject, words, facts = [], action, after = [] } = letter;
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: DARK }} />
      </head>
      <body className="paper" style={{ margin: 0, padding: 0, background: light.paper }}>
        <table role="presentation" width="100%" cellPadding={0} cellSpacing={0} style={{ borderCollapse: "collapse" }}>
          <tbody>
            <tr>
              <td align="center" className="paper" style={{ padding: "24px 12px", background: light.paper }}>
                <div style={{ maxWidth: 560, margin: "0 auto", textAlign: "left" }}>
                  <p className="ink" style={{ margin: "0 0 16px 4px", font: `600 18px/24px ${SERIF}`, color: light.ink }}>
                    {frame.brand}
                  </p>
                  <div className="card" style={{ padding: "24px 24px 12px", background: light.surface, border: `1px solid ${light.line}`, borderRadius: 10 }}>
                    <h1 className="ink" style={{ margin: "0 0 16px", font: `400 24px/30px ${SERIF}`, color: light.ink }}>
                      {subject}
                    </h1>
                    {words.map((paragraph, n) => (
                      <p key={n} className="ink" style={text}>
                        {whole(paragraph)}
                      </p>
                    ))}
                    {facts.length > 0 ? <Facts facts={facts} /> : null}
                    {action ? <Action action={action} /> : null}
                    {after.map((paragraph, n) => (
                      <p key={n} className="ink" style={text}>
                        {whole(paragraph)}
                      </p>
                    ))}
                    {frame.freeze ? (
                      <p className="soft rule" style={{ ...small, paddingTop: 12, borderTop: `1px solid ${light.line}` }}>
                        {FREEZE_WORDS}{" "}
                        <a className="link" style={link} href={frame.freeze}>
                          This was not me
                        </a>
                      </p>
                    ) : null}
                  </div>
                  <Foot frame={frame} />
                </div>
              </td>
            </tr>
          </tbody>
        </table>
      </body>
    </html>
  );
}

const Facts = ({ facts }: { facts: [string, string][] }) => (
  <table width="100%" cellPadding={0} cellSpacing={0} style={{ borderCollapse: "collapse", marginBottom: 16 }}>
    <tbody>
      {facts.map(([name, value]) => (
        <tr key={name}>
          <th scope="row" align="left" className="soft rule" style={{ ...cell, paddingRight: 16, whiteSpace: "nowrap", color: light.soft }}>
            {name}
          </th>
          <td className="ink rule" style={{ ...cell, color: light.ink, wordBreak: "break-word" }}>
            {whole(value)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const Action = ({ action: { label, url, note } }: { action: NonNullable<Letter["action"]> }) => (
  <>
    <p style={{ margin: "0 0 12px" }}>
      <a
        className="button"
        href={url}
        style={{
          display: "inline-block",
          padding: "12px 20px",
          background: light.accent,
          color: light["on-accent"],
          borderRadius: 8,
          font: `600 16px/20px ${SANS}`,
          textDecoration: "none",
        }}
      >
        {label}
      </a>
    </p>
    <p className="soft" style={small}>
      {note ? `${note} ` : ""}If the button does nothing, open this address:{" "}
      <a className="link" style={link} href={url}>
        {url}
      </a>
    </p>
  </>
);

const Foot = ({ frame: { brand, home, settings, logKey, unsubscribe } }: { frame: Frame }) => (
  <div style={{ padding: "16px 4px 0" }}>
    <p className="soft" style={small}>
      {brand},{" "}
      <a className="link" style={link} href={home}>
        {home.replace(/^https?:\/\//, "")}
      </a>
    </p>
    {logKey ? (
      <p className="soft" style={small}>
        {KEY_WORDS} at{" "}
        <a className="link" style={link} href={`${home}/verify`}>
          {home.replace(/^https?:\/\//, "")}/verify
        </a>
        : <span style={{ wordBreak: "break-all" }}>{logKey}</span>
      </p>
    ) : null}
    {unsubscribe ? (
      <p className="soft" style={small}>
        <a className="link" style={link} href={unsubscribe}>
          No more letters of this kind
        </a>
        {" or "}
        <a className="link" style={link} href={settings}>
          all choices
        </a>
      </p>
    ) : null}
  </div>
);
