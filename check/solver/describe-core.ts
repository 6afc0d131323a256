/**
 * Describes transactions that fit into no order, none of which can be left out. If the known edges form a cycle, it is
 * described. Otherwise the text says that no order of their writes works, with the case distinction if it is short
 * enough.
 */
import { OP } from '../../core/index-kv.ts';
import type { AskedLevel, KvAnomaly, KvAnomalyName, KvHistory } from '../../core/index.ts';
import { describeCycle, operationOf, txnText } from '../mini/describe.ts';
import type { Links } from '../mini/link.ts';
import type { Assumed, Case } from './cases.ts';
import type { ProblemOptions } from './problem.ts';
import { LISTED, casesAmong, refutationOf } from './refutation.ts';

const OPERATIONS = 200;

export interface CoreWords<L extends AskedLevel> {
  readonly name: KvAnomalyName;
  /** The level that was refuted. */
  readonly level: L;
  readonly levels: readonly L[];
  /** The order they do not fit into: `into no serial order`. */
  readonly fits: string;
  /** Returns the name of each transaction. The default is its plain name. */
  readonly called?: (txn: number) => string;
  readonly problem: Omit<ProblemOptions, 'only'>;
  /** No transaction can be left out. */
  readonly least: boolean;
}

export function describeCore<L extends AskedLevel>(links: Links, core: Int32Array, words: CoreWords<L>): KvAnomaly<L> {
  const { name, level, levels, fits, called = (t) => txnText(links.history, t), problem, least } = words;
  const cases = casesAmong(links, core, problem);
  const cycle = cases?.kind === 'cycle' ? describeCycle(links, cases.steps).cycle : [];
  const who = core.length > LISTED ? `${core.length} transactions` : [...core].map(called).join(', ');
  const text = cases === undefined ? '' : ` ${sentences(links, cases, '')}`;
  return {
    name,
    levels,
    cycle,
    transactions: cycle.length > 0 ? cycle.map(({ from }) => from) : [...core],
    operations: (cycle.length > 0 ? cycle.flatMap(({ operations }) => operations) : operationsOf(links, core)).slice(0, OPERATIONS),
    explanation: `${who} fit ${fits}, whichever order their writes had; ${least ? 'the others fit if any one of them is left out' : 'some of them may be unnecessary, as the search for fewer reached its budget'}.${text}`,
    ...(cases !== undefined && { refutation: refutationOf(links, core, level, cases) }),
  };
}

function operationsOf(links: Links, core: Int32Array): KvAnomaly['operations'] {
  const { history } = links;
  const matters = (op: number): boolean =>
    links.external[op] >= 0 || links.final[op] === 1 || (history.kind[op] !== OP.write && links.unclear.some(({ read }) => read === op));
  return [...core]
    .flatMap((t) => Array.from({ length: history.opEnd[t] - history.opStart[t] }, (_, i) => history.opStart[t] + i))
    .filter(matters)
    .slice(0, OPERATIONS)
    .map((op) => operationOf(links, op));
}

/** Numbers the sentences like a document: 1, 1.1, 1.2, 2. */
function sentences(links: Links, found: Case, number: string): string {
  if (found.kind === 'cycle') return describeCycle(links, found.steps).explanation;
  return found.ways
    .map(
      ({ assumed, follows }, i) =>
        `(${number}${i + 1}) If ${assumptionText(links.history, assumed)}: ${sentences(links, follows, `${number}${i + 1}.`)}`,
    )
    .join(' ');
}

function assumptionText(history: KvHistory, assumed: Assumed): string {
  const who = (t: number): string => txnText(history, t);
  return assumed.kind === 'order'
    ? `${who(assumed.first)} came before ${who(assumed.second)}`
    : `${who(assumed.reader)} read what ${who(assumed.writer)} wrote`;
}
