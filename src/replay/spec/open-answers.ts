/**
 * Finds words of a .spec whose answers may differ from those of every serial order, and words that leave the subject of
 * the level's promise. Its SQL is not parsed. A word in a comment or a text counts too, which costs a verdict but never
 * gives a false one.
 */
import type { OpenWord } from '../../../core/verdict/index.ts';
import { notComparedWords } from '../../../reports/index.ts';
import type { Spec } from './parse-spec.ts';

interface OpenWords {
  readonly words: RegExp;
  readonly word: OpenWord;
  /** The words count in the steps only; a setup may have them. */
  readonly stepsOnly?: true;
}

const OPEN: readonly OpenWords[] = [
  { words: /\bskip\s+locked\b/i, word: 'skip locked' },
  { words: /\b(nextval|setval|currval|lastval|last_insert_id|(big|small)?serial[248]?|auto_increment|identity)\b/i, word: 'numbers' },
  {
    words:
      /\b(current_timestamp|current_time|localtime(stamp)?|sysdate)\b|\b(now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|rand|uuid\w*|gen_random_uuid)\s*\(/i,
    word: 'time or chance',
  },
  {
    words: /\b(ctid|xmin|xmax|cmin|cmax|txid_\w+|pg_(?!sleep)\w+|information_schema|performance_schema|connection_id|innodb_\w+)\b|@@/i,
    word: 'server internals',
    stepsOnly: true,
  },
  { words: /\b(get_lock|release_lock|is_free_lock|is_used_lock)\b/i, word: 'named locks', stepsOnly: true },
  { words: /\b(limit|fetch\s+(first|next)|row_number)\b/i, word: 'limit', stepsOnly: true },
  {
    words: /(^|;)\s*(create|alter|drop|truncate|rename|reindex|cluster|vacuum|analyze|refresh|lock\s+tables|unlock\s+tables|flush)\b/i,
    word: 'table changes',
    stepsOnly: true,
  },
  { words: /(^|;)\s*(call|do|execute|listen|notify|copy|handler|xa)\b/i, word: 'calls', stepsOnly: true },
  { words: /\b(prepare\s+transaction|commit\s+prepared|rollback\s+prepared|and\s+chain)\b/i, word: 'hidden ends', stepsOnly: true },
  { words: /\b(default_transaction_isolation|transaction_isolation|tx_isolation|autocommit)\b/i, word: 'level settings' },
];

/** Returns the reason, half a sentence behind "as". */
export function openAnswers(spec: Pick<Spec, 'setup' | 'sessions'>): string | undefined {
  const word = openWord(spec);
  return word === undefined ? undefined : notComparedWords({ code: 'open-words', word });
}

export function openWord({ setup, sessions }: Pick<Spec, 'setup' | 'sessions'>): OpenWord | undefined {
  const steps = sessions.flatMap((session) => session.steps.map(({ sql }) => sql));
  const setups = [...setup, ...sessions.flatMap((session) => session.setup ?? [])];
  return OPEN.find(({ words, stepsOnly }) => [...steps, ...(stepsOnly ? [] : setups)].some((sql) => words.test(sql)))?.word;
}
