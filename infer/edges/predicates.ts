/**
 * Draws absence and predicate dependencies (Adya 1999, 4.1.2; docs/PREDICATES.md). A statement with a WHERE looked at
 * one version of every row of its table. The version of a returned row is known. It saw every other row in a version
 * that satisfies none of its WHEREs, unborn and dead included. Absence is the case of a statement without a WHERE.
 *
 *     unborn   3.1    7.2    dead        not returned: one of the places marked n, as far as it can have been seen at
 *       n       n      y       n         all (seen-rows.ts); the edges that follow: match-changes.ts
 *
 * A statement may read a table several times, each time by a WHERE of its own. The WHERE of a subquery counts only if
 * one of the combinations of outer rows that it is evaluated for was certainly seen. The database's evaluation can
 * contradict the statement in two ways: for a row that it returned, or for one that it did not return although every
 * version satisfies a WHERE. All evaluations of that statement and table are then discarded and counted. If a predicate
 * read may have a dependency that is not drawn, its reader is marked (unobserved-reads.ts).
 */
import { STATEMENT_STATUS } from '../../core/index.ts';
import type { History, PredicateCounts, UnexplainedRow } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import type { EdgeColumns } from './edges.ts';
import type { UnobservedMarks } from '../unobserved/unobserved.ts';
import { MatchChanges } from './match-changes.ts';
import { numberedVersions } from '../unobserved/matches.ts';
import { uncertainTables } from '../versions/cascades.ts';
import { PossibleVersions } from '../versions/possible.ts';
import type { Readings } from '../versions/readings.ts';
import type { RowChains } from '../versions/chains.ts';
import { rowsByTable } from '../rows-by-table.ts';
import { SeenRows } from './seen-rows.ts';
import type { SeenPlaces } from './seen-rows.ts';
import { markUnobservedReads } from '../unobserved/unobserved-reads.ts';
import type { UnobservedReadMarks } from '../unobserved/unobserved-reads.ts';
import type { VersionOrder } from '../versions/order.ts';
import type { Writers } from '../versions/writers.ts';

export function addPredicates(
  history: History,
  readings: Readings,
  order: VersionOrder,
  chains: RowChains,
  writers: Writers,
  edges: EdgeColumns,
  marks: UnobservedMarks | undefined,
): PredicateCounts {
  const { predicates, statements, round } = history;
  const numberOf = numberedVersions(history, order);
  const unseen = marks && markUnobservedReads(history, order, chains, writers, numberOf, marks);
  if (predicates.count === 0) return NOTHING;
  if (!history.complete || round.instrument !== 'exact' || round.level === 'read-uncommitted')
    return { ...NOTHING, unusable: predicates.count };

  const seen = new SeenRows(history, order, numberOf, new PossibleVersions(history, readings, order, writers, chains));
  const changes = new MatchChanges(history, order, chains, writers, numberOf, edges);
  const evaluation = new Evaluation(history, seen, changes, marks, unseen);
  const byStatement = buildCsr(statements.count, predicates.statement, predicates.statement);
  let unusable = 0;
  for (let s = 0; s < statements.count; s++) {
    const predicateReads = byStatement.order.subarray(byStatement.starts[s], byStatement.starts[s + 1]);
    if (predicateReads.length === 0) continue;
    if (isUsable(history, writers, s)) evaluation.statement(s, predicateReads);
    else unusable += predicateReads.length;
  }
  const { used, disagreed, unexplained, unexplainedAt, unproven } = evaluation;
  return { used, disagreed, unexplained, unexplainedAt, unusable, unproven, wrp: changes.wrp, rwp: changes.rwp };
}

const NOTHING: PredicateCounts = { used: 0, disagreed: 0, unexplained: 0, unexplainedAt: [], unusable: 0, unproven: 0, wrp: 0, rwp: 0 };

function isUsable({ statements, transactions }: History, writers: Writers, s: number): boolean {
  const reader = statements.txn[s];
  const takesEffect = statements.undone[s] === 0 || transactions.autocommit[reader] === 1;
  return (
    writers.committed(reader) &&
    statements.status[s] === STATEMENT_STATUS.ok &&
    takesEffect &&
    statements.incomplete[s] === 0 &&
    statements.reads[s] === 'exact'
  );
}

/**
 * The database's evaluation of conditions, statement by statement in ascending order. It counts how much of the
 * evaluation is used.
 */
class Evaluation {
  used = 0;
  disagreed = 0;
  unexplained = 0;
  unproven = 0;
  readonly unexplainedAt: UnexplainedRow[] = [];
  private readonly history: History;
  private readonly seen: SeenRows;
  private readonly changes: MatchChanges;
  private readonly marks: UnobservedMarks | undefined;
  private readonly unseen: UnobservedReadMarks | undefined;
  private readonly rowsOf: ReadonlyMap<string, readonly number[]>;
  /** Tables that may have had rows about which nothing is known. */
  private readonly uncertain: ReadonlySet<string>;

  constructor(
    history: History,
    seen: SeenRows,
    changes: MatchChanges,
    marks: UnobservedMarks | undefined,
    unseen: UnobservedReadMarks | undefined,
  ) {
    this.history = history;
    this.seen = seen;
    this.changes = changes;
    this.marks = marks;
    this.unseen = unseen;
    this.rowsOf = rowsByTable(history);
    this.uncertain = uncertainTables(history);
  }

  statement(s: number, predicateReads: Uint32Array): void {
    const { met } = this.history.predicates;
    this.seen.setStatement(s);
    const conditions = predicateReads.filter((p) => met[p] === 0);
    for (const [table, own] of this.believed(s, conditions)) this.table(s, table, own);
    for (const p of predicateReads) if (met[p] === 1) this.key(s, p);
  }

  /** Draws all dependencies of the key probe that met a row, or none if it is not certain which row it met. */
  private key(s: number, p: number): void {
    const { seen, unseen } = this;
    const { predicates } = this.history;
    const table = predicates.table[p];
    const places = this.uncertain.has(table) ? undefined : seen.meet(p, this.rowsOf.get(table) ?? []);
    if (places === undefined) {
      this.unproven++;
      unseen?.table(s, p, 'which version');
      return;
    }
    this.used++;
    for (const at of places) if (!this.changes.add(s, p, at)) unseen?.row(s, p, at.row);
  }

  /** Returns by table the predicate reads that certainly took place and that the returned rows do not contradict. */
  private believed(s: number, predicateReads: Uint32Array): ReadonlyMap<string, readonly number[]> {
    const { predicates, statements } = this.history;
    const certain = new Map<string, number[]>();
    const conditional: number[] = [];
    for (const p of predicateReads) {
      if (predicates.when[p] !== undefined) conditional.push(p);
      else append(certain, predicates.table[p], p);
    }
    for (const [table, own] of certain) {
      if (!this.seen.contradict(table, own)) continue;
      this.disagreed += own.length;
      certain.delete(table);
      this.marks?.mark(statements.txn[s], 'evaluation');
    }
    const proven = conditional.filter((p) => this.seen.isProven(predicates.when[p]!, certain));
    this.unproven += conditional.length - proven.length;
    for (const p of conditional) if (!proven.includes(p)) this.unseen?.table(s, p, 'unproven');
    for (const p of proven) append(certain, predicates.table[p], p);
    return certain;
  }

  /** Draws all dependencies of the statement on a table's rows, or none if one of the rows cannot be explained. */
  private table(s: number, table: string, predicateReads: readonly number[]): void {
    const { seen, unseen } = this;
    const { predicates } = this.history;
    const alone =
      predicateReads.length === 1 && predicates.beside[predicateReads[0]] === 0 && predicates.when[predicateReads[0]] === undefined;
    const places: SeenPlaces[] = [];
    for (const row of this.rowsOf.get(table) ?? []) {
      const known = seen.see(row, predicateReads, alone);
      if (known && seen.candidates.length === 0) {
        this.cannotExplain(s, row, predicateReads.length);
        return;
      }
      const at = known ? seen.places(row) : undefined;
      if (at !== undefined) places.push(at);
      else for (const p of predicateReads) unseen?.row(s, p, row);
    }
    this.used += predicateReads.length;
    for (const p of predicateReads) {
      for (const at of places) if (!this.changes.add(s, p, at)) unseen?.row(s, p, at.row);
    }
  }

  /** Records that the row was not returned although every version that can have been seen satisfies a condition. */
  private cannotExplain(s: number, row: number, predicateReads: number): void {
    this.unexplained += predicateReads;
    this.unexplainedAt.push({ statement: s, row });
    this.marks?.mark(this.history.statements.txn[s], 'unexplained');
  }
}

function append(lists: Map<string, number[]>, key: string, p: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [p]);
  else list.push(p);
}
