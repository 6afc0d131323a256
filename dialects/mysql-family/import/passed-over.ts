/** Clauses of a definition that the created tables satisfy anyway, or that have no effect on any statement. */
import type { Faults } from '../../import/index.ts';
import type { Reading } from './reading.ts';

const COLLATIONS = /^utf8mb4_(bin|0900_bin|nopad_bin)$/i;

/** Consumes such a clause if one comes next. If it would have changed something, the report says so. */
export function passedOver({ cursor }: Reading, faults: Faults): boolean {
  const at = cursor.offset;
  const row = ROWS.find(([words]) => cursor.accept(...words));
  if (row === undefined) return false;
  cursor.accept('=');
  const [, expected, why] = row;
  const { kind, text } = cursor.token;
  if (kind === 'end') cursor.refuse(`${cursor.shown()} where ${expected.source} is expected`);
  cursor.take();
  if (why !== undefined && !expected.test(text))
    faults.approximate(`${row[0].filter((word) => word !== 'DEFAULT').join(' ')} ${text} is left out: ${why}`, at);
  return true;
}

const CHARACTERS = 'texts are of utf8mb4, compared by their characters';
const ANY = /^/;

const ROWS: readonly (readonly [words: readonly string[], as: RegExp, why?: string])[] = [
  [['USING'], /^btree$/i, "InnoDB's indexes are BTREE"],
  [['COMMENT'], ANY],
  [['ENGINE'], /^innodb$/i, 'tables are made with InnoDB'],
  [['DEFAULT', 'CHARSET'], /^utf8mb4$/i, CHARACTERS],
  [['DEFAULT', 'CHARACTER', 'SET'], /^utf8mb4$/i, CHARACTERS],
  [['CHARSET'], /^utf8mb4$/i, CHARACTERS],
  [['CHARACTER', 'SET'], /^utf8mb4$/i, CHARACTERS],
  [['DEFAULT', 'COLLATE'], COLLATIONS, CHARACTERS],
  [['COLLATE'], COLLATIONS, CHARACTERS],
  [['ROW_FORMAT'], ANY],
  [['KEY_BLOCK_SIZE'], ANY],
  [['STATS_PERSISTENT'], ANY],
  [['AUTO_INCREMENT'], /^1$/, 'numbers begin after the initial rows'],
];
