import { visibleParts } from './Untrusted';

const MAX_COLOURED_LINES = 5000;

function kind(line: string): string {
  if (line.startsWith('+') && !line.startsWith('+++')) {
    return 'added';
  }
  if (line.startsWith('-') && !line.startsWith('---')) {
    return 'removed';
  }
  return line.startsWith('@@') ? 'hunk' : 'same';
}

export function looksLikeDifference(text: string): boolean {
  return /^@@ .* @@/m.test(text);
}

/** A unified difference as text; lines begin with their sign, so colour is not needed to read it. */
export function Difference({ text, label }: { text: string; label: string }) {
  const lines = text.split('\n');
  return (
    <pre className="untrusted-block difference" dir="ltr" aria-label={label}>
      {lines.length > MAX_COLOURED_LINES
        ? visibleParts(text)
        : lines.map((line, number) => (
            <span key={number} className={`line ${kind(line)}`}>
              {visibleParts(line)}
              {'\n'}
            </span>
          ))}
    </pre>
  );
}
