/**
 * Defines how findings are filtered and searched: by verdict, level, shape, table, transaction and words. The chips
 * stand in the page. The script reads the numbers of their values from an index, so filtering 5,000 findings scans
 * small arrays.
 */
import { familyName, findingName, fingerprintOf, isProgram, transactionsOf, type AnyFinding } from '../finding/facts.ts';
import type { NumberedFinding, NumberedLine } from '../run/figures.ts';
import { edgeKinds } from '../run/families.ts';
import { ownSql } from '../text/own-sql.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';

/** A search looks in this many statements of a finding, and in this many characters of each. */
const WORDS = { characters: 240, statements: 12 };

type Numbered = NumberedFinding | NumberedLine;

/** Lists the kinds of chip. */
export const FACETS: readonly { readonly name: string; readonly of: (finding: AnyFinding) => readonly string[] }[] = [
  { name: 'verdict', of: ({ judgement }) => [judgement.verdict] },
  { name: 'level', of: ({ level }) => [level] },
  { name: 'shape', of: shapesOf },
  { name: 'table', of: tablesOf },
  { name: 'transaction', of: namesOf },
];

export interface Facets {
  /** Holds the values of each facet in the order of their first finding. */
  readonly values: readonly (readonly string[])[];
  /** Holds for each finding its number, the numbers of its values for each facet, and its words. */
  readonly rows: readonly (readonly [n: number, values: readonly (readonly number[])[], words: string])[];
}

export function facetsOf(findings: readonly Numbered[]): Facets {
  const numbers = FACETS.map(() => new Map<string, number>());
  const number = (facet: number, value: string): number => {
    const known = numbers[facet]!;
    if (!known.has(value)) known.set(value, known.size);
    return known.get(value)!;
  };
  const rows = findings.map(
    ({ n, finding }) =>
      [n, FACETS.map(({ of }, facet) => [...new Set(of(finding))].map((value) => number(facet, value))), wordsOf(n, finding)] as const,
  );
  return { values: numbers.map((known) => [...known.keys()]), rows };
}

/** Returns the chip for a value as the script knows it, or undefined if no chip stands for the value. */
export function facetValue({ values }: Facets, name: string, value: string): string | undefined {
  const facet = FACETS.findIndex((each) => each.name === name);
  const number = values[facet]?.indexOf(value) ?? -1;
  return number < 0 ? undefined : `${facet} ${number}`;
}

function shapesOf(finding: AnyFinding): readonly string[] {
  if (isProgram(finding) && finding.family.named === undefined) return [familyName(finding.family)];
  const { shapes, class: anomalyClass } = isProgram(finding) ? finding.family.named! : finding.anomaly;
  return shapes.length > 0 ? shapes : [anomalyClass];
}

function tablesOf(finding: AnyFinding): readonly string[] {
  if (isProgram(finding)) return (finding.family.example.plain?.finalState ?? []).map(({ table }) => table);
  const { cycle, row } = finding.anomaly;
  return [...cycle.map(({ table }) => table), row?.table].filter((table) => table !== undefined);
}

/** Returns the names from the user's file, or the number of transactions if they have no names. */
function namesOf(finding: AnyFinding): readonly string[] {
  const transactions = isProgram(finding) ? transactionsOf(finding) : finding.transactions;
  const named = transactions.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return named.length > 0 ? named : [counted(transactions.length, 'transaction')];
}

/**
 * Returns the text that a search looks in, in small letters. It has names, tables, and the statements of the anomaly as
 * they were written.
 */
function wordsOf(n: number, finding: AnyFinding): string {
  const { target, level, judgement } = finding;
  const transactions = isProgram(finding) ? transactionsOf(finding) : finding.transactions;
  const words = [
    `#${n}`,
    findingName(finding),
    ...(isProgram(finding) ? [] : [edgeKinds(finding.anomaly)]),
    judgement.verdict,
    target,
    level,
    ...transactions.map(({ id, name }) => `T${id}${name === undefined ? '' : ` ${name}`}`),
    ...tablesOf(finding),
    ...statementsOf(finding)
      .slice(0, WORDS.statements)
      .map((sql) => clip(oneLine(sql), WORDS.characters)),
    fingerprintOf(finding),
  ];
  return oneLine(words.join(' ')).toLowerCase();
}

function statementsOf(finding: AnyFinding): readonly string[] {
  if (isProgram(finding)) return finding.family.example.lines.map(({ sql }) => sql);
  if (!('statements' in finding)) return [];
  const on = new Set(finding.anomaly.statements);
  return finding.statements.filter(({ index }) => on.has(index)).map(ownSql);
}
