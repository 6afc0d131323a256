/**
 * A round from its record, whatever ran in it: the rounds of the key-value workloads by the values that they returned,
 * all others by the versions that were observed.
 */
import type { RelationalVerdict } from '../../check/index.ts';
import type { History, Level } from '../../core/index.ts';
import { KEY_VALUE_TABLE } from '../../schema-gen/index.ts';
import { judgeHistory } from './graph.ts';
import { judgeKeyValue, judgeLists } from './key-value/index.ts';
import { unexplainedOf } from '../tally/predicates.ts';

export interface JudgedRound {
  readonly verdict: Pick<RelationalVerdict, 'levels' | 'anomalies' | 'awdit' | 'defects'>;
  readonly notes: readonly string[];
}

export function judgeRound(history: History, options: { levels?: readonly Level[]; report?: 'first' | 'class' | 'all' } = {}): JudgedRound {
  const { round, statements, notes } = history;
  if (round.instrument !== 'none' || round.tables.length !== 1 || round.tables[0] !== KEY_VALUE_TABLE) {
    const { graph, verdict } = judgeHistory(history, options);
    return { verdict, notes: [...notes, ...unexplainedOf(graph)] };
  }
  const listed = statements.result.some((rows) => rows?.[0]?.at(-1)?.startsWith(',') === true);
  const { verdict, observed } = (listed ? judgeLists : judgeKeyValue)(history);
  const asked = verdict.levels.filter(({ level }) => options.levels === undefined || options.levels.includes(level));
  return { verdict: { ...verdict, levels: asked, awdit: [] }, notes: observed?.notes ?? notes };
}
