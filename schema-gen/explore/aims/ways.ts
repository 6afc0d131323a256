/**
 * The ways in which transactions that run together may meet: the class or row set, and the parameter of each. They
 * follow from the texts and the keys alone, whatever the rows are. The last way is the control, in which they meet
 * nowhere.
 */
import { contentsOfExpressions } from '../../../core/index.ts';
import type { Expression } from '../../../core/index.ts';
import { literalText } from '../../workload-file/literal-text.ts';
import { columnNode } from './predicate-reads.ts';
import { rangeWaysOf } from './range-ways.ts';
import type { Meeting, Part, Way } from './way.ts';
import { DOMAIN } from './sights.ts';
import type { Link, RowSet, Sights } from './sights.ts';

export interface Ways {
  readonly ways: readonly Way[];
  readonly leftOut: number;
}

/** The limit beside the control. */
const MOST_WAYS = 12;

export const CONTROL = 'nothing in common';

export function waysOf(sights: Sights): Ways {
  const { sessions } = sights;
  const reached = sessions.map((_, session) => reachOf(sights, session));
  const meetings = meetingsAmong(sights, reached, [...sessions.keys()]).map((each) => [each]);
  const chains = sessions.length > 2 ? chainsOf(sights, reached) : [];
  const all = new Map<string, Way>();
  for (const each of [...meetings, ...chains]) {
    const words = each.map((meeting) => wordsOf(meeting, sights)).join(', and ');
    const key = mirrorKey(each, sights) ?? words;
    if (!all.has(key)) all.set(key, { words, meetings: each });
  }
  const ways = [...all.values(), ...rangeWaysOf(sights)].toSorted((a, b) => rank(a, sights) - rank(b, sights));
  return { ways: [...ways.slice(0, MOST_WAYS), { words: CONTROL, meetings: [] }], leftOut: Math.max(0, ways.length - MOST_WAYS) };
}

/** If all sessions run one transaction, it does not matter which of them is which. */
function mirrorKey(meetings: readonly Meeting[], { sessions }: Sights): string | undefined {
  const [first] = meetings;
  if (meetings.length !== 1 || !sessions.every(({ template }) => template === sessions[0]!.template)) return undefined;
  return JSON.stringify([first!.at, first!.parts.map(({ parameter = '' }) => parameter).toSorted()]);
}

/** Maps a class or row set to the parameters that lead there. Undefined means that it needs none. */
type Reached = ReadonlyMap<string, readonly (string | undefined)[]>;

function reachOf(sights: Sights, session: number): Reached {
  const reached = new Map<string, (string | undefined)[]>();
  const add = (at: string, by: string | undefined): void => void reached.set(at, [...(reached.get(at) ?? []), by]);
  const { parameters, sets } = sights.sessions[session]!;
  for (const { name, class: own } of parameters) for (const at of leadsTo(sights, own, sets)) add(at, name);
  for (const { id, by } of sights.sets) if (sets.has(id) && by.length === 0) add(id, undefined);
  return reached;
}

/** Returns the classes and row sets to which a value of the class leads. */
function leadsTo(sights: Sights, own: string, sets: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set([own]);
  for (const at of found)
    for (const { table } of sights.keysOf(at)) {
      for (const link of sights.links.get(table.name)!) found.add(link.class);
      for (const set of sights.sets) if (set.table.name === table.name) found.add(set.id);
    }
  for (const { id, by } of sights.sets)
    if (sets.has(id) && by.some((link) => link.class === own) && by.every((link) => found.has(link.class))) found.add(id);
  return found;
}

function meetingsAmong(sights: Sights, reached: readonly Reached[], sessions: readonly number[]): readonly Meeting[] {
  const [first = 0, ...others] = sessions;
  const common = [...reached[first]!.keys()].filter((at) => others.every((session) => reached[session]!.has(at)));
  return common.flatMap((at) =>
    choices(sessions.map((session) => reached[session]!.get(at)!.map((parameter): Part => ({ session, parameter }))))
      .filter((parts) => parts.some(({ parameter }) => parameter !== undefined) && !isPicked(sights, at, parts))
      .map((parts): Meeting => ({ at, parts, apart: isApart(sights, at, parts) })),
  );
}

/** Two of three transactions meet, and one of these meets the third. */
function chainsOf(sights: Sights, reached: readonly Reached[]): readonly (readonly Meeting[])[] {
  const among = (a: number, b: number): readonly Meeting[] => meetingsAmong(sights, reached, [a, b]);
  return [
    [among(0, 1), among(1, 2)],
    [among(0, 1), among(0, 2)],
    [among(0, 2), among(1, 2)],
  ].flatMap(([left, right]) =>
    left!.flatMap((one) =>
      right!.flatMap((two) => (one.at === two.at || !isUsed(one, sights) || !isUsed(two, sights) ? [] : [[one, two]])),
    ),
  );
}

function isApart(sights: Sights, at: string, parts: readonly Part[]): boolean {
  const own = ownClasses(sights, parts);
  return own.some((one, i) => one !== at && own.indexOf(one) < i);
}

function ownClasses({ sessions }: Sights, parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ session, parameter }) =>
    sessions[session]!.parameters.flatMap(({ name, class: own }) => (name === parameter ? [own] : [])),
  );
}

/** Values that select a row set are equal in it. That is a way of its own. */
function isPicked(sights: Sights, at: string, parts: readonly Part[]): boolean {
  const by = new Set((sights.sets.find(({ id }) => id === at)?.by ?? []).map((link) => link.class));
  const own = ownClasses(sights, parts);
  return own.some((one, i) => by.has(one) && own.indexOf(one) < i);
}

function isUsed({ at }: Meeting, sights: Sights): boolean {
  return at.startsWith('[') || sights.isUsed(at);
}

/** Ranks a way: the same value first, then the same set, then related rows, first by what a statement names. */
function rank({ meetings, range }: Way, sights: Sights): number {
  if (range !== undefined) return 1;
  return Math.max(
    ...meetings.map((meeting) => {
      const direct = meeting.parts.every(({ session, parameter }) =>
        sights.sessions[session]!.parameters.some((each) => each.name === parameter && each.class === meeting.at),
      );
      return (
        (meetings.length - 1) * 8 +
        (direct ? (meeting.at.startsWith(DOMAIN) ? 3 : 0) : meeting.at.startsWith('[') ? 1 : isUsed(meeting, sights) ? 2 : 4)
      );
    }),
  );
}

function choices<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap((each) => list.map((item) => [...each, item])), [[]]);
}

function wordsOf(meeting: Meeting, sights: Sights): string {
  const { at, parts, apart } = meeting;
  const set = sights.sets.find(({ id }) => id === at);
  const what = set === undefined ? classWords(at, apart, parts, sights) : setWords(set, apart);
  const names = parts.flatMap(({ parameter }) => (parameter === undefined ? [] : [`:${parameter}`]));
  return `${what} (${names.join(', ')})`;
}

function classWords(at: string, apart: boolean, parts: readonly Part[], sights: Sights): string {
  if (at.startsWith(DOMAIN)) return 'the same value';
  const column = columnWords(at, sights);
  const [first] = parts;
  const own = sights.sessions[first!.session]!.parameters.find(({ name }) => name === first!.parameter)?.class;
  if (!apart || own === undefined) return `the same ${column}`;
  for (const { table } of sights.keysOf(own)) {
    const link = sights.links.get(table.name)!.find((each) => each.class === at);
    if (link !== undefined) return `two rows of ${table.name} with the same ${link.column}`;
  }
  return `two values of ${columnWords(own, sights)} that lead to the same ${column}`;
}

/** Returns the key, if a column of the class is one. */
function columnWords(at: string, sights: Sights): string {
  const [key] = sights.keysOf(at);
  return key === undefined ? sights.columnsOf(at)[0]! : columnNode(key.table.name, key.table.columns[key.place]!.name);
}

function setWords({ table, by, where }: RowSet, apart: boolean): string {
  const conditions = [...by.map(({ column }: Link) => `the same ${column}`), ...where.map(conditionWords)];
  const rows = `${apart ? 'two rows' : 'a row'} of ${table.name}`;
  return conditions.length === 0 ? rows : `${rows} with ${conditions.join(' and ')}`;
}

/** Writes simple conditions as they are read. For others it writes the columns. */
function conditionWords(condition: Expression): string {
  const { kind } = condition;
  const columns = contentsOfExpressions([condition]).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : []));
  if (kind === 'compare' && condition.left.kind === 'column' && condition.right.kind === 'literal')
    return `${condition.left.column} ${condition.op} ${literalText(condition.right)}`;
  if (kind === 'isNull' && condition.operand.kind === 'column')
    return `${condition.operand.column} IS ${condition.negated ? 'NOT ' : ''}NULL`;
  return `a condition on ${[...new Set(columns)].join(', ')}`;
}
