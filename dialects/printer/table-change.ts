/** Statements that change a table (DDL). All DBMSs spell them alike except for a few words. */
import type { ChangeTable, TableChange, TableChangeKind } from '../../core/sql/index.ts';

export interface TableChangeWords {
  readonly identifier: (name: string) => string;
  /** The table's name, quoted and with its namespace. */
  readonly table: (name: string) => string;
  readonly dropIndex: (index: string, table: string) => string;
  /** The text after ALTER TABLE. */
  readonly widen: (column: string) => string;
  /** The table's new name, after RENAME TO. */
  readonly renamed: (name: string) => string;
}

type Print<K extends TableChangeKind> = (
  change: Extract<TableChange, { readonly does: K }>,
  /** The text before the change: ALTER TABLE and the table's name. */
  alter: string,
  words: TableChangeWords,
  table: string,
) => string;

const PRINTS: { readonly [K in TableChangeKind]: Print<K> } = {
  truncate: (_, __, words, table) => `TRUNCATE TABLE ${words.table(table)}`,
  'create index': ({ name, columns, unique }, _, words, table) =>
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${words.identifier(name)} ON ${words.table(table)} (${columns.map(words.identifier).join(', ')})`,
  'drop index': ({ name }, _, words, table) => words.dropIndex(name, table),
  'add column': ({ column, filledWith }, alter, words) =>
    `${alter} ADD COLUMN ${words.identifier(column)} integer DEFAULT ${filledWith} NOT NULL`,
  'drop column': ({ column }, alter, words) => `${alter} DROP COLUMN ${words.identifier(column)}`,
  'rename column': ({ column, to }, alter, words) => `${alter} RENAME COLUMN ${words.identifier(column)} TO ${words.identifier(to)}`,
  rename: ({ to }, alter, words) => `${alter} RENAME TO ${words.renamed(to)}`,
  'widen column': ({ column }, alter, words) => `${alter} ${words.widen(words.identifier(column))}`,
  'add check': ({ name, column, below }, alter, words) =>
    `${alter} ADD CONSTRAINT ${words.identifier(name)} CHECK (${words.identifier(column)} < ${below})`,
  'add unique': ({ name, columns }, alter, words) =>
    `${alter} ADD CONSTRAINT ${words.identifier(name)} UNIQUE (${columns.map(words.identifier).join(', ')})`,
  'add foreign key': ({ name, column, to, references }, alter, words) =>
    `${alter} ADD CONSTRAINT ${words.identifier(name)} FOREIGN KEY (${words.identifier(column)}) REFERENCES ${words.table(to)} (${words.identifier(references)})`,
};

export function printTableChange({ table, change }: ChangeTable, words: TableChangeWords): string {
  const print = PRINTS[change.does] as Print<TableChangeKind>;
  return print(change, `ALTER TABLE ${words.table(table)}`, words, table);
}
