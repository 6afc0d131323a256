/** A fixed schedule of plain SQL over a schema of plain SQL, both read by the server's own importer, and what is said of it. */
import { judge } from '../../check/index.ts';
import { isRefusal } from '../../core/dialect/index.ts';
import { errorText } from '../../core/history/index.ts';
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { TxnPlan } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import { instrument } from '../../instrument/index.ts';
import { judgedConfiguration } from '../../src/judge/assess/configuration.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';

export interface SqlSchedule {
  readonly schema: readonly string[];
  /** Of one session each; `auto`: the one statement alone. */
  readonly transactions: readonly { readonly auto?: true; readonly sql: readonly string[] }[];
  /** Sessions from 0, one a step: BEGIN and COMMIT are steps too. */
  readonly order: readonly number[];
  readonly level: Level;
}

export interface Played {
  readonly history: History;
  readonly configuration: Readonly<Record<string, string>>;
  readonly errors: readonly string[];
  /** `G-single-item documented`: each anomaly with its verdict. */
  readonly verdicts: readonly string[];
  /** Of a transaction's statement, both from 0: how much of its reads is seen. */
  readonly tag: (txn: number, place: number) => string | undefined;
  /** What it returned. */
  readonly result: (txn: number, place: number) => readonly (readonly (string | null)[])[] | undefined;
  /** The last entries of the versions of a table's rows that it is said to have read, in order. */
  readonly seen: (txn: number, place: number, table: string) => readonly string[];
}

export async function playSql(
  dialect: Dialect,
  url: string,
  { schema: texts, transactions, order, level: name }: SqlSchedule,
): Promise<Played> {
  const { schema, statement } = await imported(dialect, texts);
  const plans = transactions.map(({ auto, sql }, i): { readonly transactions: readonly TxnPlan[] } => ({
    transactions: [{ id: i + 1, statements: sql.map(statement), end: 'commit', autocommit: auto === true }],
  }));
  const level = dialect.levels.find((row) => row.level === name)!;
  const probedCase = instrument(
    { seed: 'sql schedule', schema, sessions: plans, schedule: order },
    { mode: 'exact', capabilities: dialect.capabilities, images: true, level: name },
  );
  const outcome = await runRound({
    round: 0,
    probedCase,
    dialect,
    level,
    urls: [url],
    mode: 'schedule',
    namespace: 'sql_schedule',
    recorder: new Recorder(undefined, { tool: 'test', seed: 's' }),
  });
  if (outcome.reason !== undefined) throw new Error(outcome.reason);
  const { history } = outcome;
  const { statements, observations, entries, transactions: txns, rows } = history;
  const at = (txn: number, place: number): number =>
    statements.kind.findIndex((_, s) => txns.id[statements.txn[s]!] === txn + 1 && statements.plan[s] === place);
  return {
    history,
    configuration: outcome.configuration,
    errors: statements.error.flatMap((error) => (error === undefined ? [] : [errorText(error)])),
    verdicts: assessHistory(history)
      .verdict.anomalies.map(
        (anomaly) => `${anomaly.class} ${judge(anomaly, name, judgedConfiguration(outcome, anomaly), dialect.promises, dialect).verdict}`,
      )
      .sort(),
    tag: (txn, place) => statements.reads[at(txn, place)],
    result: (txn, place) => statements.result[at(txn, place)],
    seen: (txn, place, table) => {
      const found: string[] = [];
      for (let o = 0; o < observations.count; o++) {
        if (observations.statement[o] !== at(txn, place) || rows.table[observations.row[o]!] !== table) continue;
        const last = observations.start[o]! + observations.length[o]! - 1;
        found.push(`${txns.id[entries.txn[last]!]}.${entries.seq[last]}`);
      }
      return found.sort();
    },
  };
}

async function imported(
  dialect: Dialect,
  texts: readonly string[],
): Promise<{ readonly schema: Schema; readonly statement: (sql: string) => Statement }> {
  const importer = await dialect.importer!();
  const { schema, refused } = importer.schema(texts.map((sql, i) => ({ sql, line: i + 1 })));
  if (refused.length > 0) throw new Error(refused.map(({ reason }) => reason).join('; '));
  return {
    schema,
    statement: (sql) => {
      const statement = importer.statement({ sql, line: 1 }, schema, new Map());
      if (isRefusal(statement)) throw new Error(`${sql}: ${statement.reason}`);
      return statement;
    },
  };
}
