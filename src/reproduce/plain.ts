/**
 * Runs the case without instrumentation, N times: only the user's own statements. If no serial order explains the
 * results, they prove the anomaly by themselves. Otherwise reads are added, and equal written values made distinct, until
 * the results prove it, provided that the anomaly remains. If that fails, only the auxiliary columns show the anomaly,
 * and the report says so.
 */
import { DatabaseError } from '../../core/base/index.ts';
import { writtenTables, itemsOf, isQuery } from '../../core/sql/index.ts';
import { setupOf } from '../../core/dialect/index.ts';
import { bindingsAt } from '../../core/history/index.ts';
import type { Statement, Table } from '../../core/sql/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import type { PlainRun, PlainStep } from '../../core/verdict/index.ts';
import { notComparedWords } from '../../reports/index.ts';
import { freshValue, keepStatements, mapTransactions, stepsOf, transactionsOf } from './reduce/index.ts';
import { statementsOf } from '../judge/findings/columns.ts';
import { COMPARED, keptResult, ownText } from '../judge/findings/reported.ts';
import { statementParts } from './statement-parts.ts';
import type { Replayer } from './replayer.ts';
import { notComparable } from './not-comparable.ts';
import { beyondSnapshots, compareOrders, isNotCompared, outcomeOf, serialOutcomes } from './serial-outcomes.ts';
import type { Outcome, Serial } from './serial-outcomes.ts';

export interface PlainOptions {
  readonly replayer: Replayer;
  readonly level: DialectLevel;
  readonly times: number;
  /** Tells whether the case still shows the anomaly with instrumentation. */
  readonly shows: (testCase: TestCase) => Promise<boolean>;
  /** The anomaly violates snapshot isolation, so the report says whether the results do too. */
  readonly snapshots: boolean;
  readonly over: () => boolean;
}

interface Probed {
  readonly testCase: TestCase;
  readonly added: ReadonlySet<Statement>;
  readonly history: History;
  readonly observed: Outcome;
  readonly serial: Serial;
  readonly proves: boolean;
}

export async function replayPlain(testCase: TestCase, options: PlainOptions): Promise<PlainRun> {
  let best = await probe(testCase, new Set(), options);
  // If results are not compared, more of them prove nothing either.
  for (const variant of best.proves || isNotCompared(best.serial) ? [] : variants(testCase)) {
    if (options.over()) break;
    if (!(await options.shows(variant.testCase))) continue;
    const tried = await probe(variant.testCase, variant.added, options);
    if (!tried.proves) continue;
    best = await withFewerReads(tried, options);
    break;
  }
  return repeated(best, options);
}

/** Runs the case once, and all serial orders of what committed. */
async function probe(testCase: TestCase, added: ReadonlySet<Statement>, { replayer, level }: PlainOptions): Promise<Probed> {
  const outcome = await replayer.attempt(testCase, { level, mode: 'none' });
  const observed = outcomeOf(outcome, testCase);
  const serial =
    notComparable(testCase) ??
    (observed.settled ? await serialOutcomes(replayer, testCase, observed.committed, level) : { code: 'run-cut' });
  return { testCase, added, history: outcome.history, observed, serial, proves: explainedByNone(observed, serial) };
}

function explainedByNone(observed: Outcome, serial: Serial): boolean {
  return (
    !isNotCompared(serial) &&
    observed.settled &&
    observed.committed.length > 1 &&
    compareOrders(observed, serial).every(({ explains }) => !explains)
  );
}

async function repeated(best: Probed, { replayer, level, times, snapshots }: PlainOptions): Promise<PlainRun> {
  let seen = best.proves ? 1 : 0;
  let shown = best;
  for (let i = 1; i < times; i++) {
    const outcome = await replayer.attempt(best.testCase, { level, mode: 'none' });
    const observed = outcomeOf(outcome, best.testCase);
    const same = String(observed.committed) === String(best.observed.committed);
    if (!best.proves || !same || !explainedByNone(observed, best.serial)) continue;
    seen++;
    shown = { ...best, history: outcome.history, observed };
  }
  const serialOrders = isNotCompared(shown.serial) ? [] : compareOrders(shown.observed, shown.serial);
  const dialect = replayer.target.dialect;
  const run = {
    ...setupOf(dialect.namespaceScript('anomaly', best.testCase.schema)),
    steps: plainSteps(shown, (statement) => dialect.print(statement)),
    finalState: shown.observed.tables,
    rate: { tries: times, seen },
    proof: best.proves ? ('results' as const) : ('auxiliary columns' as const),
    serialOrders,
    ...(isNotCompared(shown.serial) && { notCompared: shown.serial }),
  };
  return { ...run, explanation: explanation(run, shown, snapshots) };
}

function explanation(
  { serialOrders, rate, proof }: Omit<PlainRun, 'explanation'>,
  { observed, serial, added }: Probed,
  snapshots: boolean,
): string {
  if (proof === 'results') {
    const orders = serialOrders.map(({ sentence }) => sentence).join(' ');
    const reads = added.size === 0 ? '' : ` ${added.size === 1 ? 'One read was' : `${added.size} reads were`} added to show it.`;
    const also = snapshots
      ? beyondSnapshots(observed, serial as ReadonlyMap<string, Outcome>)
        ? ' No choice of snapshots explains the results either.'
        : ' The answers by themselves would fit some choice of snapshots.'
      : '';
    return `No serial order of the transactions gives what was observed. ${orders}${also}${reads} Seen in ${rate.seen} of ${rate.tries} runs without instrumentation.`;
  }
  if (isNotCompared(serial))
    return `The results were not compared with serial orders, as ${notComparedWords(serial)}: the row versions in the auxiliary columns show the anomaly.`;
  const order = serialOrders
    .find(({ explains }) => explains)
    ?.order.map((id) => `T${id}`)
    .join(', ');
  if (order === undefined)
    return `Fewer than two transactions committed, so the results of the others are no proof: the row versions in the auxiliary columns show the anomaly.`;
  return `The results alone do not prove the anomaly: the serial order ${order} would give the same, as values do not tell which version of a row was read. The row versions in the auxiliary columns show it.`;
}

function plainSteps({ history, testCase, added }: Probed, print: (statement: Statement) => string): PlainStep[] {
  const plans = new Map(transactionsOf(testCase).map((txn) => [txn.id, txn]));
  const boundBefore = bindingsAt(history, testCase);
  const steps = statementsOf(history, [...plans.keys()]).sort((a, b) => a.sent - b.sent);
  return steps.map(({ session, txn, kind, sql, place, replied, blocked, rows, result, error, errorCode }) => {
    const { autocommit, statements } = plans.get(txn)!;
    const planned = statements[place];
    const own = planned === undefined ? sql : ownText({ testCase, print }, planned, boundBefore(txn, place));
    return {
      session,
      txn,
      kind,
      sql,
      ...(own !== sql && { own }),
      ...statementParts(planned, print),
      autocommit,
      blocked,
      repliedAfter: replied === null ? null : steps.findLastIndex((other) => other.sent <= replied),
      rows,
      ...keptResult(result, COMPARED),
      columns: planned && isQuery(planned) ? itemsOf(planned).map(({ alias }) => alias) : [],
      error,
      ...(errorCode !== undefined && { errorCode }),
      added: planned !== undefined && added.has(planned),
    };
  });
}

interface Variant {
  readonly testCase: TestCase;
  readonly added: ReadonlySet<Statement>;
}

function* variants(testCase: TestCase): Generator<Variant> {
  const distinct = withDistinctValues(testCase);
  yield { testCase: distinct, added: new Set() };
  for (const base of [testCase, distinct]) {
    for (const when of ['first', 'before writes', 'everywhere'] as const) yield withReads(base, when);
  }
}

/** Makes every written literal distinct, so that a read value names its write. */
function withDistinctValues(testCase: TestCase): TestCase {
  let n = 0;
  return mapTransactions(testCase, (txn) => ({
    ...txn,
    statements: txn.statements.map((statement) =>
      statement.kind !== 'update'
        ? statement
        : {
            ...statement,
            set: statement.set.map((each) =>
              each.value.kind === 'literal' ? { ...each, value: { ...each.value, value: freshValue(each.value.type, n++) } } : each,
            ),
          },
    ),
  }));
}

/** Adds whole-table reads of every table that the case writes, to each transaction with a BEGIN. */
function withReads(testCase: TestCase, when: 'first' | 'before writes' | 'everywhere'): Variant {
  const written = new Set(transactionsOf(testCase).flatMap(({ statements }) => statements.flatMap(writtenTables)));
  const tables = testCase.schema.tables.filter(({ name }) => written.has(name));
  const added = new Set<Statement>();
  const reads = (): Statement[] => {
    const list = tables.map(readOf);
    list.forEach((read) => added.add(read));
    return list;
  };
  const order: number[] = [];
  const plans = new Map<number, Statement[]>();
  for (const { txn: id, session, part } of stepsOf(testCase)) {
    const txn = transactionsOf(testCase).find((each) => each.id === id)!;
    const plan = plans.get(id) ?? [];
    plans.set(id, plan);
    const here =
      !txn.autocommit &&
      typeof part === 'number' &&
      (when === 'everywhere' || (when === 'first' ? part === 0 : writtenTables(txn.statements[part]!).length > 0));
    if (here)
      for (const read of reads()) {
        plan.push(read);
        order.push(session);
      }
    if (typeof part === 'number') plan.push(txn.statements[part]!);
    order.push(session);
  }
  return { testCase: { ...mapTransactions(testCase, (txn) => ({ ...txn, statements: plans.get(txn.id)! })), schedule: order }, added };
}

function readOf(table: Table): Statement {
  return {
    kind: 'select',
    items: table.columns.map(({ name }) => ({ expression: { kind: 'column', table: table.name, column: name }, alias: name })),
    from: { kind: 'table', table: table.name, alias: table.name },
  };
}

async function withFewerReads(start: Probed, options: PlainOptions): Promise<Probed> {
  let best = start;
  for (const read of start.added) {
    if (options.over()) break;
    const fewer = keepStatements(best.testCase, ({ statements }, place) => statements[place] !== read);
    try {
      if (!(await options.shows(fewer))) continue;
      const tried = await probe(fewer, new Set([...best.added].filter((each) => each !== read)), options);
      if (tried.proves) best = tried;
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
    }
  }
  return best;
}
