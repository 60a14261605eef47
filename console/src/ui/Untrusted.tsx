import { Fragment, type ReactNode } from 'react';
import { t } from '../strings';
import { formatNumber } from './time';

/** Control characters, direction marks and invisible characters, which could make text look like something else. */
const HIDDEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The parts of a text, with hidden characters written out. */
export function visibleParts(text: string): ReactNode {
  if (text.search(HIDDEN) < 0) {
    return text;
  }
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    parts.push(<Fragment key={`t${end}`}>{text.slice(end, match.index)}</Fragment>);
    parts.push(
      <span key={`h${match.index}`} className="hidden-character" title={t.untrusted.hidden}>
        {codePoint(match[0])}
      </span>,
    );
    end = match.index + match[0].length;
  }
  parts.push(<Fragment key="end">{text.slice(end)}</Fragment>);
  return parts;
}

/** Text that an agent, a tool or a server may have chosen: always text, in its own direction, on its own line. */
export function Untrusted({ children, mono = false }: { children: string | null | undefined; mono?: boolean }) {
  return <bdi className={mono ? 'untrusted mono' : 'untrusted'}>{visibleParts(children ?? '')}</bdi>;
}

const LONG = 32 * 1024;
const PIECE = 8 * 1024;

/** A long text in pieces that end with a line, so that the browser lays out only the visible ones. */
function pieces(text: string): string[] {
  const found: string[] = [];
  for (let begin = 0; begin < text.length; ) {
    const line = text.indexOf('\n', begin + PIECE);
    const end = line < 0 ? text.length : line + 1;
    found.push(text.slice(begin, end));
    begin = end;
  }
  return found;
}

/** The same as a block that keeps line breaks and is never truncated. A long one scrolls, and shows its length. */
export function UntrustedBlock({ text, label }: { text: string; label?: string }) {
  if (text.length <= LONG) {
    return (
      <pre className="untrusted-block" dir="ltr" aria-label={label}>
        {visibleParts(text)}
      </pre>
    );
  }
  const about = t.untrusted.long(formatNumber(text.length));
  return (
    <>
      <p className="long-about">{about}</p>
      <pre className="untrusted-block long" dir="ltr" tabIndex={0} role="region" aria-label={label ?? about}>
        {pieces(text).map((piece, number) => (
          <span key={number} className="piece">
            {visibleParts(piece)}
          </span>
        ))}
      </pre>
    </>
  );
}
