/**
 * Spells names of tables and columns as the file's DBMS reads them: bare if that names the same thing, else in its
 * quotes. The importer reads each spelling before it is used.
 */
import { isRefusal } from '../../core/index.ts';
import type { Schema, SqlImporter } from '../../core/index.ts';

export class Spelled {
  private readonly schema: Schema;
  private readonly importer: SqlImporter;
  private readonly known = new Map<string, string>();

  constructor(schema: Schema, importer: SqlImporter) {
    this.schema = schema;
    this.importer = importer;
  }

  table(name: string): string {
    return this.spelling(`table ${name}`, name, (table) => this.reads(`SELECT count(*) AS n FROM ${table}`, name) !== undefined);
  }

  column(table: string, name: string): string {
    return this.spelling(`column ${table} ${name}`, name, (column) => {
      const expression = this.reads(`SELECT ${column} FROM ${this.table(table)}`, table);
      return expression?.kind === 'column' && expression.column === name;
    });
  }

  /** Returns the first item of the query, if it can be read and belongs to this table. */
  private reads(sql: string, table: string) {
    const query = this.importer.statement({ sql, line: 1 }, this.schema, new Map());
    if (isRefusal(query) || query.kind !== 'select' || query.from.kind !== 'table' || query.from.table !== table) return undefined;
    return query.items[0]?.expression;
  }

  private spelling(key: string, name: string, fits: (spelling: string) => boolean): string {
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const written = this.importer.writtenName(name);
    const spellings = [written, `"${written.replaceAll('"', '""')}"`, `\`${written.replaceAll('`', '``')}\``];
    const found = spellings.find(fits) ?? written;
    this.known.set(key, found);
    return found;
  }
}
