/**
 * Finds words of a .spec whose answers may differ from those of every serial order, and words that leave the subject of
 * the level's promise. Its SQL is not parsed. A word in a comment or a text counts too, which costs a verdict but never
 * gives a false one.
 */
import type { Spec } from './parse-spec.ts';

interface OpenWords {
  readonly words: RegExp;
  readonly reason: string;
  /** The words count in the steps only; a setup may have them. */
  readonly stepsOnly?: true;
}

const OPEN: readonly OpenWords[] = [
  { words: /\bskip\s+locked\b/i, reason: 'SKIP LOCKED leaves out what others have locked' },
  {
    words: /\b(nextval|setval|currval|lastval|last_insert_id|(big|small)?serial[248]?|auto_increment|identity)\b/i,
    reason: 'the server hands out numbers in the order in which it meets the statements',
  },
  {
    words:
      /\b(current_timestamp|current_time|localtime(stamp)?|sysdate)\b|\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|rand|uuid\w*|gen_random_uuid)\s*\(/i,
    reason: 'some answers depend on the time or on chance',
  },
  {
    words: /\b(ctid|xmin|xmax|cmin|cmax|txid_\w+|pg_(?!sleep)\w+|information_schema|performance_schema|connection_id|innodb_\w+)\b|@@/i,
    reason: 'it asks the server for what it keeps for itself',
    stepsOnly: true,
  },
  { words: /\b(get_lock|release_lock|is_free_lock|is_used_lock)\b/i, reason: 'locks by name are no data', stepsOnly: true },
  { words: /\b(limit|fetch\s+(first|next)|row_number)\b/i, reason: 'a LIMIT may take any of several rows', stepsOnly: true },
  {
    words: /(^|;)\s*(create|alter|drop|truncate|rename|reindex|cluster|vacuum|analyze|refresh|lock\s+tables|unlock\s+tables|flush)\b/i,
    reason: 'a step changes a table itself, which the promises of levels do not speak of',
    stepsOnly: true,
  },
  { words: /(^|;)\s*(call|do|execute|listen|notify|copy|handler|xa)\b/i, reason: 'a step calls what is not known here', stepsOnly: true },
  {
    words: /\b(prepare\s+transaction|commit\s+prepared|rollback\s+prepared|and\s+chain)\b/i,
    reason: 'a step ends a transaction in a way that hides its border',
    stepsOnly: true,
  },
  {
    words: /\b(default_transaction_isolation|transaction_isolation|tx_isolation|autocommit)\b/i,
    reason: 'it sets the level or autocommit by a setting, which is not replaced',
  },
];

/** Returns the reason, half a sentence behind "as". */
export function openAnswers({ setup, sessions }: Pick<Spec, 'setup' | 'sessions'>): string | undefined {
  const steps = sessions.flatMap((session) => session.steps.map(({ sql }) => sql));
  const setups = [...setup, ...sessions.flatMap((session) => session.setup ?? [])];
  return OPEN.find(({ words, stepsOnly }) => [...steps, ...(stepsOnly ? [] : setups)].some((sql) => words.test(sql)))?.reason;
}
