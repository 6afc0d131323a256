/** What a definition may say and the tables have anyway, or what has no effect on any statement. */
import type { Reading } from './reading.ts';

const COLLATIONS = /^utf8mb4_(bin|0900_bin|nopad_bin)$/i;

/** Takes one of them, when one comes next. */
export function passedOver({ cursor }: Reading): boolean {
  if (cursor.accept('USING')) {
    if (!cursor.accept('BTREE')) cursor.refuse(`USING ${cursor.token.text}: InnoDB's indexes are BTREE`);
    return true;
  }
  if (cursor.accept('COMMENT')) {
    cursor.accept('=');
    if (cursor.token.kind !== 'string') cursor.refuse(`${cursor.shown()} after COMMENT where a string is expected`);
    cursor.take();
    return true;
  }
  if (cursor.accept('ENGINE')) {
    cursor.accept('=');
    if (!cursor.accept('INNODB')) cursor.refuse(`ENGINE ${cursor.token.text}: tables are made with InnoDB`);
    return true;
  }
  if (
    cursor.accept('DEFAULT', 'CHARSET') ||
    cursor.accept('DEFAULT', 'CHARACTER', 'SET') ||
    cursor.accept('CHARSET') ||
    cursor.accept('CHARACTER', 'SET')
  ) {
    cursor.accept('=');
    if (!cursor.accept('UTF8MB4')) cursor.refuse(`CHARSET ${cursor.token.text}: tables are made with utf8mb4`);
    return true;
  }
  if (cursor.accept('DEFAULT', 'COLLATE') || cursor.accept('COLLATE')) {
    cursor.accept('=');
    const { text } = cursor.take();
    if (!COLLATIONS.test(text))
      cursor.refuse(`COLLATE ${text}: texts here compare by their characters, as in utf8mb4_bin; leave it out if that is meant`);
    return true;
  }
  return false;
}
