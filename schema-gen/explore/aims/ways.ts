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
import { DOMAIN } from './joint-reads.ts';
import type { Link, RowSet, JointReads } from './joint-reads.ts';

export interface Ways {
  readonly ways: readonly Way[];
  readonly leftOut: number;
}

/** The limit beside the control. */
const MOST_WAYS = 12;

export const CONTROL = 'nothing in common';

export function waysOf(joint: JointReads): Ways {
  const { sessions } = joint;
  const reached = sessions.map((_, session) => reachOf(joint, session));
  const meetings = meetingsAmong(joint, reached, [...sessions.keys()]).map((each) => [each]);
  const chains = sessions.length > 2 ? chainsOf(joint, reached) : [];
  const all = new Map<string, Way>();
  for (const each of [...meetings, ...chains]) {
    const words = each.map((meeting) => wordsOf(meeting, joint)).join(', and ');
    const key = mirrorKey(each, joint) ?? words;
    if (!all.has(key)) all.set(key, { words, meetings: each });
  }
  const ways = [...all.values(), ...rangeWaysOf(joint)].toSorted((a, b) => rank(a, joint) - rank(b, joint));
  return { ways: [...ways.slice(0, MOST_WAYS), { words: CONTROL, meetings: [] }], leftOut: Math.max(0, ways.length - MOST_WAYS) };
}

/** If all sessions run one transaction, it does not matter which of them is which. */
function mirrorKey(meetings: readonly Meeting[], { sessions }: JointReads): string | undefined {
  const [first] = meetings;
  if (meetings.length !== 1 || !sessions.every(({ template }) => template === sessions[0]!.template)) return undefined;
  return JSON.stringify([first!.at, first!.parts.map(({ parameter = '' }) => parameter).toSorted()]);
}

/** Maps a class or row set to the parameters that lead there. Undefined means that it needs none. */
type Reached = ReadonlyMap<string, readonly (string | undefined)[]>;

function reachOf(joint: JointReads, session: number): Reached {
  const reached = new Map<string, (string | undefined)[]>();
  const add = (at: string, by: string | undefined): void => void reached.set(at, [...(reached.get(at) ?? []), by]);
  const { parameters, sets } = joint.sessions[session]!;
  for (const { name, class: own } of parameters) for (const at of leadsTo(joint, own, sets)) add(at, name);
  for (const { id, by } of joint.sets) if (sets.has(id) && by.length === 0) add(id, undefined);
  return reached;
}

/** Returns the classes and row sets to which a value of the class leads. */
function leadsTo(joint: JointReads, own: string, sets: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set([own]);
  for (const at of found)
    for (const { table } of joint.keysOf(at)) {
      for (const link of joint.links.get(table.name)!) found.add(link.class);
      for (const set of joint.sets) if (set.table.name === table.name) found.add(set.id);
    }
  for (const { id, by } of joint.sets)
    if (sets.has(id) && by.some((link) => link.class === own) && by.every((link) => found.has(link.class))) found.add(id);
  return found;
}

function meetingsAmong(joint: JointReads, reached: readonly Reached[], sessions: readonly number[]): readonly Meeting[] {
  const [first = 0, ...others] = sessions;
  const common = [...reached[first]!.keys()].filter((at) => others.every((session) => reached[session]!.has(at)));
  return common.flatMap((at) =>
    choices(sessions.map((session) => reached[session]!.get(at)!.map((parameter): Part => ({ session, parameter }))))
      .filter((parts) => parts.some(({ parameter }) => parameter !== undefined) && !isPicked(joint, at, parts))
      .map((parts): Meeting => ({ at, parts, apart: isApart(joint, at, parts) })),
  );
}

/** Two of three transactions meet, and one of these meets the third. */
function chainsOf(joint: JointReads, reached: readonly Reached[]): readonly (readonly Meeting[])[] {
  const among = (a: number, b: number): readonly Meeting[] => meetingsAmong(joint, reached, [a, b]);
  return [
    [among(0, 1), among(1, 2)],
    [among(0, 1), among(0, 2)],
    [among(0, 2), among(1, 2)],
  ].flatMap(([left, right]) =>
    left!.flatMap((one) => right!.flatMap((two) => (one.at === two.at || !isUsed(one, joint) || !isUsed(two, joint) ? [] : [[one, two]]))),
  );
}

function isApart(joint: JointReads, at: string, parts: readonly Part[]): boolean {
  const own = ownClasses(joint, parts);
  return own.some((one, i) => one !== at && own.indexOf(one) < i);
}

function ownClasses({ sessions }: JointReads, parts: readonly Part[]): readonly string[] {
  return parts.flatMap(({ session, parameter }) =>
    sessions[session]!.parameters.flatMap(({ name, class: own }) => (name === parameter ? [own] : [])),
  );
}

/** Values that select a row set are equal in it. That is a way of its own. */
function isPicked(joint: JointReads, at: string, parts: readonly Part[]): boolean {
  const by = new Set((joint.sets.find(({ id }) => id === at)?.by ?? []).map((link) => link.class));
  const own = ownClasses(joint, parts);
  return own.some((one, i) => by.has(one) && own.indexOf(one) < i);
}

function isUsed({ at }: Meeting, joint: JointReads): boolean {
  return at.startsWith('[') || joint.isUsed(at);
}

/** Ranks a way: the same value first, then the same set, then related rows, first by what a statement names. */
function rank({ meetings, range }: Way, joint: JointReads): number {
  if (range !== undefined) return 1;
  return Math.max(
    ...meetings.map((meeting) => {
      const direct = meeting.parts.every(({ session, parameter }) =>
        joint.sessions[session]!.parameters.some((each) => each.name === parameter && each.class === meeting.at),
      );
      return (
        (meetings.length - 1) * 8 +
        (direct ? (meeting.at.startsWith(DOMAIN) ? 3 : 0) : meeting.at.startsWith('[') ? 1 : isUsed(meeting, joint) ? 2 : 4)
      );
    }),
  );
}

function choices<T>(lists: readonly (readonly T[])[]): readonly (readonly T[])[] {
  return lists.reduce<readonly (readonly T[])[]>((all, list) => all.flatMap((each) => list.map((item) => [...each, item])), [[]]);
}

function wordsOf(meeting: Meeting, joint: JointReads): string {
  const { at, parts, apart } = meeting;
  const set = joint.sets.find(({ id }) => id === at);
  const what = set === undefined ? classWords(at, apart, parts, joint) : setWords(set, apart);
  const names = parts.flatMap(({ parameter }) => (parameter === undefined ? [] : [`:${parameter}`]));
  return `${what} (${names.join(', ')})`;
}

function classWords(at: string, apart: boolean, parts: readonly Part[], joint: JointReads): string {
  if (at.startsWith(DOMAIN)) return 'the same value';
  const column = columnWords(at, joint);
  const [first] = parts;
  const own = joint.sessions[first!.session]!.parameters.find(({ name }) => name === first!.parameter)?.class;
  if (!apart || own === undefined) return `the same ${column}`;
  for (const { table } of joint.keysOf(own)) {
    const link = joint.links.get(table.name)!.find((each) => each.class === at);
    if (link !== undefined) return `two rows of ${table.name} with the same ${link.column}`;
  }
  return `two values of ${columnWords(own, joint)} that lead to the same ${column}`;
}

/** Returns the key, if a column of the class is one. */
function columnWords(at: string, joint: JointReads): string {
  const [key] = joint.keysOf(at);
  return key === undefined ? joint.columnsOf(at)[0]! : columnNode(key.table.name, key.table.columns[key.place]!.name);
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
