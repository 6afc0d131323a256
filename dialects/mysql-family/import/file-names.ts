/** The names of the objects that a file creates, from the first words of its statements. A body may name a later one. */
import type { SqlText } from '../../../core/dialect/index.ts';
import { Faults } from '../../import/index.ts';
import type { FileNames } from './read-body.ts';
import { withoutOwners, withoutVersions, type VersionComments } from './dump-words.ts';
import { routineIn } from './read-routine.ts';

const NAME = /(?:`((?:[^`]|``)+)`|([\w$\u0080-\uffff]+))/.source;
const TABLE = new RegExp(`^\\s*CREATE\\s+(?:TABLE|VIEW)\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`, 'i');
const FUNCTION = new RegExp(`^\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?FUNCTION\\s+(?:IF\\s+NOT\\s+EXISTS\\s+)?${NAME}`, 'i');

export function namesOf(texts: readonly SqlText[], comments: VersionComments): FileNames {
  const [tables, functions] = [new Map<string, string>(), new Map<string, string>()];
  for (const { sql } of texts) {
    const plain = withoutOwners(withoutVersions(sql, comments), new Faults());
    const table = nameIn(TABLE, plain);
    if (table !== undefined) tables.set(table.toLowerCase(), table);
    const name = routineIn(plain) === 'function' ? nameIn(FUNCTION, plain) : undefined;
    if (name !== undefined) functions.set(name.toLowerCase(), name);
  }
  return { tables, functions };
}

function nameIn(form: RegExp, sql: string): string | undefined {
  const found = form.exec(sql);
  return found?.[1]?.replaceAll('``', '`') ?? found?.[2];
}
