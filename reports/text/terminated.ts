/**
 * A statement for the clients that people paste it into. That of MySQL and MariaDB ends one at its first semicolon, unless it is
 * told another end: bodies of triggers and functions hold semicolons, and no dollar quotes around them.
 */

const BODY = /^CREATE (?:TRIGGER|FUNCTION) `[^]*;/;

/** A line each, `before` before the statement itself. */
export function terminated(sql: string, before = ''): readonly string[] {
  return BODY.test(sql) ? ['DELIMITER ;;', `${before}${sql};;`, 'DELIMITER ;'] : [`${before}${sql};`];
}

/** The same in the language of mtr's test files. */
export function terminatedForMtr(sql: string): readonly string[] {
  return BODY.test(sql) ? ['delimiter $$;', `${sql}$$`, 'delimiter ;$$'] : [`${sql};`];
}
