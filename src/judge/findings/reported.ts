/**
 * The transactions of an anomaly and their statements, in the form that findings hold and reports show. One statement can
 * return and read more than the rest of the finding together. So the finding holds enough of both to recognise them, and
 * the number of omitted rows. The evidence of the anomaly is complete, here and in the certificate.
 */
import type {
  Anomaly,
  History,
  KeptResult,
  ReportedStatement,
  ReportedTxn,
  ReportedVersion,
  Statement,
  TestCase,
  Bindings,
} from '../../../core/index.ts';
import { authorsText, bindingsAt, withBindings } from '../../../core/index.ts';
import { textWithBindings } from '../../../schema-gen/index.ts';
import { listText, observationAt, statementsOf, txnAt } from './columns.ts';

/** Limit for the observed result of a statement, which readers look at. */
const OBSERVED = { rows: 20, characters: 4_000 };
/** Limit for the result of a plain statement, which programs compare with theirs. */
export const COMPARED = { rows: 200, characters: 20_000 };
/** Limit for rows beside the anomaly: versions for a statement, and entries of each list. */
const BESIDE = { versions: 12, entries: 6 };

export function reportedTransactions(history: History, ids: readonly number[], testCase?: TestCase): ReportedTxn[] {
  const names = new Map(testCase?.sessions.flatMap(({ transactions }) => transactions.map(({ id, name }) => [id, name] as const)));
  return [...new Set(ids)].flatMap((wanted): ReportedTxn[] => {
    const t = history.transactions.id.indexOf(wanted);
    if (wanted === 0 || t < 0) return [];
    const { id, session, outcome } = txnAt(history, t);
    const name = names.get(id);
    return [{ id, ...(name !== undefined && { name }), session, outcome }];
  });
}

/** A plan, and a way to print its statements without additions. */
export interface Written {
  readonly testCase: TestCase;
  readonly print: (statement: Statement) => string;
}

export function reportedStatements(
  history: History,
  { transactions, cycle, row }: Pick<Anomaly, 'transactions' | 'cycle' | 'row'>,
  written?: Written,
): ReportedStatement[] {
  const asWritten = ownSql(written, history);
  const about = new Set([...cycle.map((step) => step.row), row?.row]);
  const sent = statementsOf(
    history,
    transactions.filter((id) => id !== 0),
  );
  const versions = versionsOf(history, new Set(sent.map(({ index }) => index)), about);
  return sent
    .map(
      ({
        session,
        txn,
        index,
        number,
        kind,
        sql,
        place,
        sent: invokeAt,
        replied,
        blocked,
        rows,
        error,
        errorCode,
        result,
      }): ReportedStatement => {
        const seen = versions.get(index) ?? [];
        const [own, others] = [seen.filter(({ rid }) => about.has(rid)), seen.filter(({ rid }) => !about.has(rid))];
        const left = others.length - BESIDE.versions;
        return {
          session,
          txn,
          index,
          number,
          kind,
          sql,
          ...asWritten(txn, place, sql),
          invokeAt,
          replyAt: replied,
          blocked,
          rows,
          error,
          ...(errorCode !== undefined && { errorCode }),
          ...keptResult(result, OBSERVED),
          versions: [...own, ...others.slice(0, BESIDE.versions)],
          ...(left > 0 && { versionsLeftOut: left }),
        };
      },
    )
    .sort((a, b) => a.invokeAt - b.invokeAt);
}

function ownSql(
  written: Written | undefined,
  history: History,
): (txn: number, place: number, sent: string) => Pick<ReportedStatement, 'own'> {
  if (written === undefined) return () => ({});
  const plans = new Map(
    written.testCase.sessions.flatMap(({ transactions }) => transactions.map((plan) => [plan.id, plan.statements] as const)),
  );
  const boundBefore = bindingsAt(history, written.testCase);
  return (txn, place, sent) => {
    const planned = plans.get(txn)?.[place];
    const own = planned === undefined ? sent : ownText(written, planned, boundBefore(txn, place));
    return own === sent ? {} : { own };
  };
}

/** Returns the statement as its author wrote it, with read values in place of names. Without the author's text it is printed. */
export function ownText({ testCase, print }: Written, planned: Statement, bindings: Bindings): string {
  const text = authorsText(testCase, planned);
  return text === undefined ? print(withBindings(planned, bindings)) : textWithBindings(text, planned, bindings);
}

/** Returns the first rows, up to the limit. */
export function keptResult(result: KeptResult['result'], most: { readonly rows: number; readonly characters: number }): KeptResult {
  if (result === null) return { result };
  let room = most.characters;
  const over = result.findIndex((row, i) => (room -= row.reduce((sum, value) => sum + (value?.length ?? 0), 0)) < 0 || i >= most.rows);
  return over < 0 ? { result } : { result: result.slice(0, over), resultLeftOut: result.length - over };
}

/** Returns the versions by statement. */
function versionsOf(
  history: History,
  wanted: ReadonlySet<number>,
  about: ReadonlySet<string | undefined>,
): ReadonlyMap<number, readonly ReportedVersion[]> {
  const { observations } = history;
  const versions = new Map<number, ReportedVersion[]>();
  for (let o = 0; o < observations.count; o++) {
    const statement = observations.statement[o]!;
    if (!wanted.has(statement)) continue;
    const { role, table, rid, entries, whole } = observationAt(history, o);
    const shown = about.has(rid) ? entries : entries.slice(-BESIDE.entries);
    if (!versions.has(statement)) versions.set(statement, []);
    versions
      .get(statement)!
      .push({ role, table, rid, list: listText({ entries: shown, whole: whole && shown.length === entries.length }, '…') });
  }
  return versions;
}
