/** What a file makes, by the first words of its statements: a body may name what comes behind it. */
import type { SqlText } from '../../../core/index.ts';
import type { FileNames } from './read-body.ts';
import { headed, unversioned } from './routine-head.ts';

const NAME = /(?:`((?:[^`]|``)+)`|([\w$\u0080-\uffff]+))/.source;
const TABLE = new RegExp(`^\\s*CREATE\\s+(?:TABLE|VIEW)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`, 'i');
const FUNCTION = new RegExp(`^\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?FUNCTION\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`, 'i');

export function namesOf(texts: readonly SqlText[]): FileNames {
  const [tables, functions] = [new Map<string, string>(), new Map<string, string>()];
  for (const { sql } of texts) {
    const plain = unversioned(sql);
    const table = nameIn(TABLE, plain);
    if (table !== undefined) tables.set(table.toLowerCase(), table);
    const made = headed(plain);
    const name = made?.kind === 'function' ? nameIn(FUNCTION, made.sql) : undefined;
    if (name !== undefined) functions.set(name.toLowerCase(), name);
  }
  return { tables, functions };
}

function nameIn(form: RegExp, sql: string): string | undefined {
  const found = form.exec(sql);
  return found?.[1]?.replaceAll('``', '`') ?? found?.[2];
}
