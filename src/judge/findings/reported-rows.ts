/**
 * Collects the rows of an anomaly by key and values, for readers. The values are what the server itself returned for the
 * versions that the finding's statements saw. Sources are the images from before the round and from writes, the closing
 * read, and plain queries of one table. No value is computed, copied from another version, or taken from a statement's
 * text.
 */
import { ROLE, STATEMENT_STATUS, userColumnsOf } from '../../../core/index.ts';
import type { Anomaly, History, ReportedRow, ReportedStatement, Table, TestCase } from '../../../core/index.ts';
import { observationAt } from './columns.ts';
import { readColumns } from './read-columns.ts';

type Texts = readonly (string | null | undefined)[];
type Versions = Record<string, Record<string, string | null>>;

export function reportedRows(
  history: History,
  testCase: TestCase,
  { cycle, row }: Pick<Anomaly, 'cycle' | 'row'>,
  statements: readonly ReportedStatement[],
): ReportedRow[] {
  const about = new Map<string, ReportedRow & { readonly versions: Versions; readonly of: Table; readonly wanted: ReadonlySet<string> }>();
  for (const each of [...cycle, ...(row === undefined ? [] : [row])]) {
    const table = testCase.schema.tables.find(({ name }) => name === each.table);
    if (each.row === undefined || table === undefined || about.has(each.row)) continue;
    const wanted = versionsSeen(statements, each.row);
    about.set(each.row, { table: table.name, row: each.row, key: table.primaryKey, versions: {}, of: table, wanted });
  }
  const learn = (rid: string, version: string | undefined, columns: readonly string[], texts: Texts): void => {
    const known = about.get(rid);
    if (known === undefined || version === undefined || !known.wanted.has(version)) return;
    const values = (known.versions[version] ??= {});
    columns.forEach((column, i) => texts[i] !== undefined && (values[column] ??= texts[i]));
  };
  for (const { rids, images } of history.images)
    for (const [i, rid] of rids.entries()) {
      const known = about.get(rid);
      if (known !== undefined) learn(rid, '0.0', namesOf(known.of), images[i]!);
    }
  learnObserved(history, testCase, (rid) => about.get(rid)?.of, learn);
  return [...about.values()].map(({ table, row: rid, key, versions }) => ({ table, row: rid, key, versions }));
}

/** Returns the last version of each list and the one before it: the version that a reader saw, and the one that a writer replaced. */
function versionsSeen(statements: readonly ReportedStatement[], rid: string): ReadonlySet<string> {
  return new Set(
    statements.flatMap(({ versions }) =>
      versions.filter((each) => each.rid === rid).flatMap(({ list }) => list.split(',').slice(1).slice(-2)),
    ),
  );
}

function learnObserved(
  history: History,
  testCase: TestCase,
  tableOf: (rid: string) => Table | undefined,
  learn: (rid: string, version: string | undefined, columns: readonly string[], texts: Texts) => void,
): void {
  const { observations, statements, transactions, rows } = history;
  const plans = new Map(testCase.sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn.statements] as const)));
  const sizes = new Map<number, number>();
  for (let o = 0; o < observations.count; o++) sizes.set(observations.statement[o]!, (sizes.get(observations.statement[o]!) ?? 0) + 1);
  let last = -1;
  let place = 0;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    place = s === last ? place + 1 : 0;
    last = s;
    const table = tableOf(rows.rid[observations.row[o]!] ?? '');
    if (table === undefined || statements.status[s] !== STATEMENT_STATUS.ok) continue;
    const { rid, entries } = observationAt(history, o);
    const version = entries.at(-1);
    const names = namesOf(table);
    const image = observations.image[o];
    if (observations.role[o] === ROLE.write) {
      if (image?.length === names.length && version === `${transactions.id[statements.txn[s]!]}.${statements.seq[s]}`)
        learn(rid, version, names, image);
      continue;
    }
    const result = statements.result[s];
    if (observations.role[o] !== ROLE.read || statements.incomplete[s] === 1 || result?.length !== sizes.get(s)) continue;
    const plan = plans.get(transactions.id[statements.txn[s]!]!)?.[statements.plan[s]!];
    if (statements.kind[s] === 'final') learn(rid, version, names, result![place]!);
    else if (plan?.kind === 'select' && statements.reads[s] === 'exact')
      learn(
        rid,
        version,
        table.columns.map(({ name }) => name),
        readColumns(plan, table, result![place]!),
      );
  }
}

function namesOf(table: Table): readonly string[] {
  return userColumnsOf(table).map(({ name }) => name);
}
