/**
 * A cure as a person types it: its words say where in the file it belongs, and its SQL is put there. Words that are not known
 * here throw, so that no cure passes untried.
 */
import type { TriedCure } from '../../reports/index.ts';
import type { FileByLines } from './file-by-lines.ts';

export interface TypedCure {
  readonly file: FileByLines;
  readonly level?: string;
  /** The cure asks for a loop that tries again what the server refuses. */
  readonly triesAgain?: true;
}

type Cure = Pick<TriedCure, 'what' | 'sql'>;

/** A statement with the IF and GET DIAGNOSTICS behind it, which the words do not count. */
type Group = readonly string[];
/** The groups of each transaction. */
type Groups = ReadonlyMap<string, readonly Group[]>;
type Form = (groups: Groups, words: readonly string[], sql: readonly string[]) => Groups;

const FORMS: readonly (readonly [RegExp, Form])[] = [
  [
    /^FOR UPDATE on statement (\d+) of ([\w-]+): /,
    (groups, [n, name], [text]) => at(groups, name!, n!, ([, ...behind]) => [[text!, ...behind]]),
  ],
  [/^FOR UPDATE on every read of ([\w-]+) and ([\w-]+)$/, lockedReads],
  [/^a lock on the row of \S+, in front of (statement .*)$/, (groups, [places], sql) => inFrontOf(groups, places!, sql)],
  [/^an advisory lock under the key of \S+, in front of (statement .*)$/, (groups, [places], sql) => inFrontOf(groups, places!, sql)],
  [
    /^an advisory lock at the beginning of ([\w-]+(?: and [\w-]+)*): /,
    (groups, [names], sql) => {
      const places = names!.split(' and ').map((name) => `statement 1 of ${name}`);
      return inFrontOf(groups, places.join(' and of '), sql);
    },
  ],
  [
    /^look at how many rows statement (\d+) of ([\w-]+) changed$/,
    (groups, [n, name], sql) => at(groups, name!, n!, ([statement, ...behind]) => [[statement!, ...sql, ...behind]]),
  ],
  [/^one statement instead of two in ([\w-]+), of statements (\d+) and (\d+)$/, oneStatement],
];
const LEVEL = /^([A-Z ]+), and try again what it refuses$/;
const CONSTRAINT = /^(?:UNIQUE|EXCLUDE) \(.*\) on \S+/;

export function typedCure(file: FileByLines, { what, sql }: Cure): TypedCure {
  const level = LEVEL.exec(what)?.[1];
  if (level !== undefined) return { file, level, triesAgain: true };
  if (sql === undefined) throw new Error(`a cure without SQL cannot be typed: ${what}`);
  if (CONSTRAINT.test(what)) return { file: { ...file, setup: [...file.setup, ...sql] } };
  for (const [words, form] of FORMS) {
    const found = words.exec(what);
    if (found !== null) return { file: { ...file, transactions: statementsOf(form(groupsOf(file), found.slice(1), sql)) } };
  }
  throw new Error(`nobody knows here how to type the cure: ${what}`);
}

function groupsOf({ transactions }: FileByLines): Groups {
  return new Map(
    [...transactions].map(([name, statements]) => {
      const groups: string[][] = [];
      for (const each of statements)
        if (/^(?:IF|GET DIAGNOSTICS)\s/.test(each)) groups.at(-1)!.push(each);
        else groups.push([each]);
      return [name, groups];
    }),
  );
}

function statementsOf(groups: Groups): FileByLines['transactions'] {
  return new Map([...groups].map(([name, own]) => [name, own.flat()]));
}

/** The nth statement of that transaction, from 1, becomes these. */
function at(groups: Groups, name: string, n: string, change: (group: Group) => readonly Group[]): Groups {
  const own = groups.get(name);
  const group = own?.[Number(n) - 1];
  if (own === undefined || group === undefined) throw new Error(`there is no statement ${n} of ${name}`);
  return new Map([...groups, [name, own.flatMap((each) => (each === group ? change(each) : [each]))]]);
}

/** `statement 2 of book and of statement 1 of cancel`, a line of SQL for each. */
function inFrontOf(groups: Groups, places: string, sql: readonly string[]): Groups {
  const found = [...places.matchAll(/statement (\d+) of ([\w-]+)/g)];
  if (found.length !== sql.length) throw new Error(`${sql.length} statements for ${places}`);
  return found.reduce((all, [, n, name], i) => at(all, name!, n!, (group) => [[sql[i]!], group]), groups);
}

/** The reads of both, each with the line that locks it. */
function lockedReads(groups: Groups, names: readonly string[], sql: readonly string[]): Groups {
  const lines = [...sql];
  const locked = new Map(groups);
  for (const name of names)
    locked.set(
      name,
      groups.get(name)!.map(([statement, ...behind]) => {
        const isNext = `${statement!.replaceAll(/\s+/g, ' ')} FOR UPDATE` === lines[0];
        return [isNext ? lines.shift()! : statement!, ...behind];
      }),
    );
  if (lines.length > 0) throw new Error(`this is a read of neither ${names.join(' nor ')}: ${lines[0]}`);
  return locked;
}

/** The read goes, or what is left of it takes its place; the UPDATE asks what was asked of the read. */
function oneStatement(groups: Groups, [name, read, write]: readonly string[], sql: readonly string[]): Groups {
  const update = sql.findIndex((each) => /^UPDATE\s/i.test(each));
  if (update < 0) throw new Error(`no UPDATE: ${sql.join('; ')}`);
  const written = at(groups, name!, write!, ([, ...behind]) => [[...sql.slice(update), ...behind]]);
  return at(written, name!, read!, () => sql.slice(0, update).map((each) => [each]));
}
