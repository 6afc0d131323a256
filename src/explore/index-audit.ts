/**
 * Compares each index of a fixture with the scan of its table: both must give the same values. A session of its own has a
 * planner with the needed settings. The server's catalogue lists the indexes, including those that it made itself. For an
 * index by which no row can be read, the server's own check of the table is asked.
 */
import type { Connection, Dialect, ResultRow, TablePaths } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { namesIn } from './schema-changing-fixture.ts';

export class IndexAudit {
  private readonly dialect: Dialect;
  private readonly connection: Connection;
  private readonly namespace: string;
  /** Absent: they were not read, or tables were made since. */
  private paths: readonly TablePaths[] | undefined;

  private constructor(dialect: Dialect, connection: Connection, namespace: string) {
    this.dialect = dialect;
    this.connection = connection;
    this.namespace = namespace;
  }

  /** Undefined: the dialect does not say how an index is read. */
  static async open(dialect: Dialect, namespace: string, connect: () => Promise<Connection>): Promise<IndexAudit | undefined> {
    const { accessPaths } = dialect;
    if (accessPaths === undefined) return undefined;
    const connection = await connect();
    try {
      for (const sql of accessPaths.settings) await connection.query(sql);
      return new IndexAudit(dialect, connection, namespace);
    } catch (error) {
      await connection.end();
      throw error;
    }
  }

  /** Must be called when tables were made. */
  tablesChanged(): void {
    this.paths = undefined;
  }

  end(): Promise<void> {
    return this.connection.end();
  }

  /** Returns a line for each index that gives other rows. The queries share a round trip if the connection can. */
  async indexCorruption(fixture: Fixture): Promise<readonly string[]> {
    const names = namesIn(fixture);
    if (fixture.changesSchema) this.tablesChanged(); // Programs may create and drop indexes.
    this.paths ??= await this.dialect.accessPaths!.of(this.connection, this.namespace);
    const paths = this.paths.filter(({ table }) => names.includes(table));
    const sql = paths.flatMap(({ scan, indexes, check }) => [scan, ...indexes.map(({ read }) => read), ...(check ? [check.sql] : [])]);
    if (sql.length === 0) return [];
    const answers = await this.ask(sql);
    if (typeof answers === 'string') return [answers];
    let at = 0;
    return paths.flatMap((path) => {
      const scanned = answers[at++]!;
      const differences = path.indexes.flatMap((index) => difference(path, index, scanned, answers[at++]!));
      const checked = path.check?.corruption(answers[at++]!) ?? [];
      return [...differences, ...checked.map((line) => `table ${path.table}: ${line}`)];
    });
  }

  /** Returns a text if the server cannot read them. */
  private async ask(sql: readonly string[]): Promise<readonly (readonly ResultRow[])[] | string> {
    try {
      if (this.connection.queryAll !== undefined) return (await this.connection.queryAll(sql)).map(({ rows }) => rows);
      const answers: (readonly ResultRow[])[] = [];
      for (const each of sql) answers.push((await this.connection.query(each)).rows);
      return answers;
    } catch (error) {
      const { class: errorClass, message } = this.dialect.classifyError(error);
      if (errorClass !== 'other') throw new DatabaseError(`the tables could not be read again: ${message}`, { cause: error });
      return `the server fails to read them: ${message}`;
    }
  }
}

function difference(
  { table, columns }: TablePaths,
  index: TablePaths['indexes'][number],
  scanned: readonly ResultRow[],
  read: readonly ResultRow[],
): readonly string[] {
  const places = index.columns.map((column) => columns.indexOf(column));
  const whole = shown(scanned.map((row) => places.map((place) => row[place]!)));
  const own = shown(read);
  return whole === own ? [] : [`table ${table} (${index.columns.join(', ')}): by a scan ${whole}, by the index ${index.name} ${own}`];
}

function shown(rows: readonly ResultRow[]): string {
  return rows.length === 0
    ? 'no row'
    : rows
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join(' ');
}
