/**
 * Judges a round from its record, whatever ran in it. Key-value rounds are judged by the recorded contents of their
 * objects, all others by the observed versions.
 */
import type { RelationalVerdict } from '../../../check/index.ts';
import type { History, Level, Note, ObjectContents } from '../../../core/index.ts';
import { assessHistory } from './graph.ts';
import { assessKeyValue, assessLists } from './key-value/index.ts';
import { unexplainedOf } from '../tally/predicates.ts';
import type { WorkloadVerdict } from '../workload.ts';

export interface AssessedRound {
  readonly verdict: Pick<RelationalVerdict, 'levels' | 'anomalies' | 'awdit' | 'defects'>;
  readonly notes: readonly Note[];
}

const BY_CONTENTS: Readonly<Record<ObjectContents, (history: History) => WorkloadVerdict>> = {
  values: assessKeyValue,
  repeated: assessKeyValue,
  lists: assessLists,
};

export function assessRound(
  history: History,
  options: { levels?: readonly Level[]; report?: 'first' | 'class' | 'all' } = {},
): AssessedRound {
  const { round, notes } = history;
  if (round.contents === undefined) {
    const { graph, verdict } = assessHistory(history, options);
    return { verdict, notes: [...notes, ...unexplainedOf(graph)] };
  }
  const { verdict, observed } = BY_CONTENTS[round.contents](history);
  const asked = verdict.levels.filter(({ level }) => options.levels === undefined || options.levels.includes(level));
  return { verdict: { ...verdict, levels: asked, awdit: [] }, notes: observed?.notes ?? notes };
}
