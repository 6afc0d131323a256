/**
 * By what findings are filtered and found: verdict, level, shape, table and transaction of each, and its words. The chips
 * stand in the page; the script reads the numbers of their values from the index, so that filtering 5,000 findings is a
 * pass over small arrays.
 */
import type { Finding, ListedFinding } from '../../core/index.ts';
import type { NumberedFinding, NumberedLine } from '../run/figures.ts';
import { edgeKinds } from '../run/families.ts';
import { ownSql } from '../text/own-sql.ts';
import { clip, oneLine } from '../text/visible.ts';
import { anomalyName, counted } from '../text/words.ts';
import { html, type Markup } from './markup.ts';

/** Values of one kind that have a chip at once; the others unfold. */
const SHOWN = 8;
/** Of one statement, and so many of them, in the words of a finding. */
const WORDS = { characters: 240, statements: 12 };

type Numbered = NumberedFinding | NumberedLine;

const FACETS: readonly { readonly name: string; readonly of: (finding: Finding | ListedFinding) => readonly string[] }[] = [
  { name: 'verdict', of: ({ judgement }) => [judgement.verdict] },
  { name: 'level', of: ({ level }) => [level] },
  { name: 'shape', of: ({ anomaly }) => (anomaly.shapes.length > 0 ? anomaly.shapes : [anomaly.class]) },
  { name: 'table', of: tablesOf },
  { name: 'transaction', of: transactionsOf },
];

export interface Facets {
  /** For each facet its values, in the order of their first finding. */
  readonly values: readonly (readonly string[])[];
  /** For each finding: its number, for each facet the numbers of its values, and its words. */
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

/** Chips for what differs; of a kind with one value there is nothing to choose. */
export function chips({ values, rows }: Facets): Markup {
  return html`<div class="filters">${FACETS.map(({ name }, facet) => group(name, facet, values[facet]!, rows))}</div>`;
}

function group(name: string, facet: number, values: readonly string[], rows: Facets['rows']): Markup {
  if (values.length < 2) return html``;
  const count = (value: number): number => rows.filter(([, of]) => of[facet]!.includes(value)).length;
  const chip = (value: string, number: number): Markup =>
    html`<button type="button" class="pick" aria-pressed="false" data-facet="${facet}" data-value="${number}"><span>${clip(oneLine(value), 60)}</span> <small>${count(number)}</small></button>`;
  const all = values.map(chip);
  return html`<div class="facet" role="group" aria-label="Filter by ${name}"><b>${name}</b>${all.slice(0, SHOWN)}${all.length > SHOWN ? html`<details class="rest"><summary>${all.length - SHOWN} more</summary>${all.slice(SHOWN)}</details>` : null}</div>`;
}

/** Which chip stands for a value, as the script knows it; undefined: none does. */
export function facetValue({ values }: Facets, name: string, value: string): string | undefined {
  const facet = FACETS.findIndex((each) => each.name === name);
  const number = values[facet]?.indexOf(value) ?? -1;
  return number < 0 ? undefined : `${facet} ${number}`;
}

function tablesOf({ anomaly: { cycle, row } }: ListedFinding): readonly string[] {
  return [...cycle.map(({ table }) => table), row?.table].filter((table) => table !== undefined);
}

/** As a user's file calls them; where they have no names, how many take part. */
function transactionsOf({ transactions }: ListedFinding): readonly string[] {
  const named = transactions.flatMap(({ name }) => (name === undefined ? [] : [name]));
  return named.length > 0 ? named : [counted(transactions.length, 'transaction')];
}

/** What a search looks in, small letters: names, tables, and the statements that the anomaly rests on as they were written. */
function wordsOf(n: number, finding: Finding | ListedFinding): string {
  const { anomaly, target, level, judgement, transactions } = finding;
  const on = new Set(anomaly.statements);
  const statements = 'statements' in finding ? finding.statements.filter(({ index }) => on.has(index)) : [];
  const words = [
    `#${n}`,
    anomalyName(anomaly),
    edgeKinds(anomaly),
    judgement.verdict,
    target,
    level,
    ...transactions.map(({ id, name }) => `T${id}${name === undefined ? '' : ` ${name}`}`),
    ...tablesOf(finding),
    ...statements.slice(0, WORDS.statements).map((each) => clip(oneLine(ownSql(each)), WORDS.characters)),
    anomaly.fingerprint,
  ];
  return oneLine(words.join(' ')).toLowerCase();
}
