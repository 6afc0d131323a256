/**
 * Level by anomaly, as wide as the terminal: as many names as there is room for, the worst first, the rest in one column.
 *
 *                       lost  write  2       shown
 *                     update   skew  others  to hold
 *     read-committed     ~14     ~5  .       all
 *     serializable         .     !1  .       17 %
 */
import type { PromiseVerdict } from '../../core/index.ts';
import { clipColumns, displayWidth, padColumns } from '../../core/index.ts';
import type { Paint, Style } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { grouped } from '../text/words.ts';
import { VERDICTS } from '../run/figures.ts';
import { addedCounts } from './counts.ts';
import type { CountedLevel, Counts } from './counts.ts';

const GAP = '  ';
const NOTHING = '.';
export const SIGN: Readonly<Record<PromiseVerdict, string>> = { bug: '!', undocumented: '?', documented: '~' };
export const STYLE: Readonly<Record<PromiseVerdict, Style>> = { bug: 'red', undocumented: 'yellow', documented: 'cyan' };
const HOLDS = ['shown to', 'hold for'];
/** A longer name is a rare one, so it is cut to leave room for others. */
const MOST_NAME = 30;
const MOST_LABEL = 30;
const HEAD_LINES = [1, 2, 3];
const ALL = ['anomalies'];

export const LEGEND: string = `${SIGN.bug} bug  ${SIGN.undocumented} undocumented  ${SIGN.documented} documented  ${NOTHING} not seen`;

interface Column {
  readonly head: readonly string[];
  readonly cells: readonly (Counts | undefined)[];
}

export function gridLines(levels: readonly CountedLevel[], columns: number, paint: Paint): readonly string[] {
  if (levels.length === 0) return [];
  const labels = levels.map(({ label }) => clipColumns(oneLine(label), MOST_LABEL));
  const first = Math.max(...labels.map(displayWidth));
  const holds = levels.map((level) => level.holds);
  const last = holds.some((word) => word !== '') ? Math.max(...[...HOLDS, ...holds].map(displayWidth)) : 0;
  const room = columns - first - (last === 0 ? 0 : GAP.length + last);
  const shown = fitting(namedColumns(levels), levels.length, room);
  const depth = Math.max(...shown.map(({ head }) => head.length), last === 0 ? 1 : HOLDS.length);
  const widths = shown.map(widthOf);
  const heads = Array.from({ length: depth }, (_, i) => {
    const words = (head: readonly string[]): string => head[i - depth + head.length] ?? '';
    const cells = shown.map(({ head }, c) => padColumns(words(head), widths[c]!, 'start'));
    return paint('bold', [' '.repeat(first), ...cells, ...(last === 0 ? [] : [words(HOLDS)])].join(GAP).trimEnd());
  });
  return [
    ...heads,
    ...labels.map((label, row) =>
      [
        padColumns(label, first, 'end'),
        ...shown.map(({ cells }, c) => painted(cells[row], widths[c]!, paint)),
        ...(last === 0 || holds[row] === '' ? [] : [holds[row]!]),
      ].join(GAP),
    ),
  ];
}

/** The worst come first, then the most frequent. */
function namedColumns(levels: readonly CountedLevel[]): readonly { readonly name: string; readonly cells: Column['cells'] }[] {
  const names = [...new Set(levels.flatMap(({ byName }) => [...byName.keys()]))];
  const columns = names.map((name) => {
    const cells = levels.map(({ byName }) => byName.get(name));
    return { name: clipColumns(oneLine(name), MOST_NAME), cells, all: addedCounts(cells) };
  });
  return columns.toSorted(
    ({ all: a }, { all: b }) =>
      Number(b.bug > 0) - Number(a.bug > 0) || Number(b.undocumented > 0) - Number(a.undocumented > 0) || total(b) - total(a),
  );
}

/** Returns columns with the fewest lines of head at which all names fit. Otherwise it returns as many names as fit with the most lines. */
function fitting(named: ReturnType<typeof namedColumns>, rows: number, room: number): readonly Column[] {
  if (named.length === 0) return [{ head: ALL, cells: Array.from({ length: rows }, () => undefined) }];
  const fits = (columns: readonly Column[]): boolean => columns.reduce((left, column) => left - GAP.length - widthOf(column), room) >= 0;
  let tallest: readonly Column[] = [];
  for (const lines of HEAD_LINES) {
    tallest = named.map(({ name, cells }) => ({ head: wrapped(name, lines), cells }));
    if (fits(tallest)) return tallest;
  }
  for (let kept = named.length - 1; ; kept--) {
    const rest = named.slice(kept);
    const others: Column = {
      head: kept === 0 ? ALL : [String(rest.length), rest.length === 1 ? 'other' : 'others'],
      cells: Array.from({ length: rows }, (_, row) => addedCounts(rest.map(({ cells }) => cells[row]))),
    };
    const shown = [...tallest.slice(0, kept), others];
    if (kept === 0 || fits(shown)) return shown;
  }
}

/** Wraps a name into at most so many lines, as narrow as possible, at spaces and behind hyphens. */
function wrapped(name: string, lines: number): readonly string[] {
  const pieces = name.split(/ |(?<=-)/);
  const longest = Math.max(...pieces.map(displayWidth));
  for (let width = longest; ; width++) {
    const found: string[] = [];
    for (const piece of pieces) {
      const before = found.at(-1);
      const joined = before === undefined ? piece : `${before}${before.endsWith('-') ? '' : ' '}${piece}`;
      if (before !== undefined && displayWidth(joined) <= width) found[found.length - 1] = joined;
      else found.push(piece);
    }
    if (found.length <= lines) return found;
  }
}

function widthOf({ head, cells }: Column): number {
  return Math.max(...head.map(displayWidth), ...cells.map((cell) => cellText(cell).length));
}

function cellText(counts: Counts | undefined): string {
  if (counts === undefined || total(counts) === 0) return NOTHING;
  return VERDICTS.flatMap((verdict) => (counts[verdict] === 0 ? [] : [`${SIGN[verdict]}${countText(counts[verdict])}`])).join(' ');
}

/** Prints `4,321` or `123k`. */
function countText(n: number): string {
  return n < 100_000 ? grouped(n) : `${grouped(Math.floor(n / 1000))}k`;
}

function total({ bug, undocumented, documented }: Counts): number {
  return bug + undocumented + documented;
}

function painted(counts: Counts | undefined, width: number, paint: Paint): string {
  const text = padColumns(cellText(counts), width, 'start');
  const worst = VERDICTS.find((verdict) => (counts?.[verdict] ?? 0) > 0);
  return worst === undefined ? text : paint(STYLE[worst], text);
}
