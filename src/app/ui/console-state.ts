/** Shows the sessions by hand to the page. */
import { anomalyName, promiseSentence } from '../../../reports/index.ts';
import { sessionName, txnName } from '../../console/step.ts';
import type { Step } from '../../console/step.ts';
import type { SteppedGraph } from '../../console/stepped-graph.ts';
import { answerLines, endLines, mismatchLines } from '../../console/words.ts';
import type { SqlConsole } from '../../console/sql-console.ts';
import type { ConsoleGraph, ConsoleState, ConsoleStep } from './page/console-messages.ts';

/** A result shows at most this many rows. Further rows are counted. */
const MOST_ROWS = 50;

export function stateOf(id: number, sqlConsole: SqlConsole, words: string | undefined): ConsoleState {
  const { record, consoleSessions: own, fixture } = sqlConsole;
  return {
    id,
    state: own.lost === undefined ? 'open' : 'lost',
    ...(own.lost === undefined ? words !== undefined && { words } : { words: lostWords(sqlConsole, own.lost) }),
    target: sqlConsole.name,
    server: sqlConsole.server,
    fixture: fixture.name,
    tables: fixture.schema.tables.map(({ name, columns }) => `${name}(${columns.map((column) => column.name).join(', ')})`),
    levels: sqlConsole.offered,
    sessions: own.levels.map(({ level }, s) => {
      const txn = own.openIn(s)?.id;
      const lost = own.lostIn(s);
      return {
        name: sessionName(s),
        level,
        ...(txn !== undefined && { txn }),
        waits: own.waitsIn(s) !== undefined,
        ...(lost !== undefined && { lost }),
      };
    }),
    steps: record.steps.filter(({ implied }) => implied !== true).map((step) => stepOf(step, sqlConsole)),
    commits: record.transactions.filter(({ outcome }) => outcome === 'committed').length,
  };
}

function stepOf(step: Step, { record }: SqlConsole): ConsoleStep {
  const { n, session, txn, sql, reply, waitsFor } = step;
  const rows = reply?.rows ?? [];
  const words =
    reply === undefined
      ? []
      : [...(reply.columns.length > 0 ? [] : answerLines(step)), ...mismatchLines(step), ...endLines(step, record.transactions[txn - 1]!)];
  return {
    n,
    session,
    txn,
    sql,
    state: reply === undefined ? 'waits' : reply.error === undefined ? 'replied' : 'failed',
    ...(waitsFor && { waitsFor }),
    columns: reply?.columns ?? [],
    rows: rows.slice(0, MOST_ROWS),
    words: rows.length > MOST_ROWS ? [...words, `and ${rows.length - MOST_ROWS} more rows`] : words,
  };
}

function lostWords({ record: { transactions } }: SqlConsole, why: string): string {
  const unknown = transactions.filter(({ outcome }) => outcome === 'unknown').map(({ id }) => txnName(id));
  return `The server was lost: ${why}. ${unknown.length === 0 ? 'What was open is rolled back.' : `Unknown is whether ${unknown.join(', ')} committed; all else that was open is rolled back.`}`;
}

export function graphState({ edges, anomalies, drawn }: SteppedGraph): ConsoleGraph {
  return {
    drawn,
    edges: edges.map(({ from, to, rel, sentence }) => ({ name: `${txnName(from)} —${rel}→ ${txnName(to)}`, sentence })),
    anomalies: anomalies.map(({ anomaly, judgement }) => ({
      name: anomalyName(anomaly),
      verdict: judgement.verdict,
      violates: anomaly.levels,
      promise: promiseSentence({ judgement }),
    })),
  };
}
