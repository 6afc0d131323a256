/**
 * Terminates a statement for the clients into which people paste it. The client of MySQL and MariaDB ends a statement at
 * its first semicolon, unless it gets another delimiter. Bodies of triggers and functions hold semicolons, without dollar
 * quotes around them.
 */

const BODY = /^CREATE (?:TRIGGER|FUNCTION) `[^]*;/;

/** Returns the lines, with `before` in front of the statement itself. */
export function terminated(sql: string, before = ''): readonly string[] {
  return BODY.test(sql) ? ['DELIMITER ;;', `${before}${sql};;`, 'DELIMITER ;'] : [`${before}${sql};`];
}

/** Terminates a statement in the language of mtr's test files. */
export function terminatedForMtr(sql: string): readonly string[] {
  return BODY.test(sql) ? ['delimiter $$;', `${sql}$$`, 'delimiter ;$$'] : [`${sql};`];
}
