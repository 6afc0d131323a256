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
  /** The words count in the steps only; a setup may have them. `and routines`: a setup that makes routines may not. */
  readonly stepsOnly?: true | 'and routines';
  /** The words count only where the level replaces those that the file names. */
  readonly ifReplaced?: true;
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
    words:
      /\b(ctid|xmin|xmax|cmin|cmax|txid_\w+|pg_(?!sleep)\w+|information_schema|performance_schema|connection_id|innodb_\w+)\b|@@|(^|;)\s*explain\b/i,
    word: 'server internals',
    stepsOnly: 'and routines',
  },
  { words: /\b(get_lock|release_lock|is_free_lock|is_used_lock)\b/i, word: 'named locks', stepsOnly: 'and routines' },
  { words: /\b(limit|fetch\s+(first|next)|row_number)\b/i, word: 'limit', stepsOnly: 'and routines' },
  {
    words:
      /\b(fetch|tablesample|distinct\s+on|first_value|last_value|nth_value|ntile|lag|lead|group_concat|any_value)\b|\b(array|string|json|jsonb|xml)_?agg\w*\s*\(/i,
    word: 'row order',
    stepsOnly: 'and routines',
  },
  {
    words:
      /(^|;)\s*(create|alter|drop|truncate|rename|reindex|cluster|vacuum|analyze|refresh|lock\s+tables|unlock\s+tables|flush|grant|revoke|comment|reassign|security|import|discard)\b/i,
    word: 'table changes',
    stepsOnly: true,
  },
  { words: /(^|;)\s*(call|do|execute|listen|notify|copy|handler|xa)\b/i, word: 'calls', stepsOnly: true },
  { words: /\b(prepare\s+transaction|commit\s+prepared|rollback\s+prepared|and\s+chain)\b/i, word: 'hidden ends', stepsOnly: true },
  { words: /\b(default_transaction_isolation|transaction_isolation|tx_isolation|autocommit)\b/i, word: 'level settings', ifReplaced: true },
];

/** In a setup these words make statements that run later, within a step. */
const ROUTINES = /\b(function|procedure|trigger|rule|view|policy)\b/i;
const COMMENTS = /--[^\n]*|\/\*[^]*?\*\//g;

/** Returns the reason, half a sentence behind "as". */
export function openAnswers(spec: Pick<Spec, 'setup' | 'sessions'>): string | undefined {
  const word = openWord(spec);
  return word === undefined ? undefined : notComparedWords({ code: 'open-words', word });
}

/** `asWritten`: the file's level is not replaced. */
export function openWord({ setup, sessions }: Pick<Spec, 'setup' | 'sessions'>, asWritten = false): OpenWord | undefined {
  const steps = sessions.flatMap((session) => session.steps.map(({ sql }) => sql));
  const setups = [...setup, ...sessions.flatMap((session) => session.setup ?? [])];
  const routines = setups.filter((sql) => ROUTINES.test(sql));
  const found = OPEN.find(({ words, stepsOnly, ifReplaced }) => {
    if (ifReplaced && asWritten) return false;
    const texts = [...steps, ...(stepsOnly === undefined ? setups : stepsOnly === true ? [] : routines)];
    // A comment may stand before the word that begins a statement.
    return texts.some((sql) => words.test(sql) || words.test(sql.replace(COMMENTS, ' ')));
  });
  return found?.word;
}
