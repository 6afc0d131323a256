/**
 * What the importer sends gives what the user wrote gives: both run on the same data, and rows and tables must be equal.
 * Random expressions without parentheses have the value that the server gives them: it groups operators as the reader does.
 * And of statements with tokens out of place, those that are still taken mean the same to the server.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isQuery } from '../../core/sql/index.ts';
import { isRefusal } from '../../core/dialect/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { Connection, QueryResult, SqlImporter } from '../../core/dialect/index.ts';
import { tokensOf } from '../../dialects/mysql-family/import/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { ACCEPTED } from '../unit/dialects/import/mysql-accepted.ts';
import { BANK, PARAMETERS, VALUES } from '../unit/dialects/import/mysql-bank.ts';
import { FAMILY, describeFamily } from './mysql-family.ts';

const TABLES = ['customer', 'account', 'transfer'];
const EXPRESSIONS = 200;
const SPOILT = 800;
/** Put among a statement's own tokens. */
const WORDS =
  `or and not = < - + % ( ) , in is null between exists distinct all left join natural on using union order by limit 1 as x where
  desc any like 'a' mod case end having group for update default values with over id account customer balance`.split(/\s+/);

describeFamily(
  "users' statements",
  ({ dialect, start }) => {
    let server: Awaited<ReturnType<typeof start>>;
    let connection: Connection;
    let importer: SqlImporter;
    let schema: Schema;

    beforeAll(async () => {
      server = await start();
      importer = await dialect.importer!();
      ({ schema } = importer.schema(BANK));
      const control = await dialect.connect(server.url, {});
      for (const { sql } of dialect.namespaceScript('imported', schema)) await control.query(sql);
      await control.end();
      connection = await dialect.connect(server.url, { namespace: 'imported', statementTimeoutMs: 120_000 });
    });

    afterAll(async () => {
      await connection?.end();
      await server?.stop();
    });

    it('give what they are sent as', async () => {
      const different: string[] = [];
      const unknown: string[] = [];
      let compared = 0;
      for (const [written] of ACCEPTED) {
        const statement = importer.statement({ sql: written, line: 1 }, schema, PARAMETERS);
        // The member of the family lacks it.
        if (isRefusal(statement)) continue;
        const [sent, own] = [
          await effectOf(connection, withValues(dialect.print(statement))),
          await effectOf(connection, withValues(written)),
        ];
        // The server has other words for it, or none: a copy of a table that changes, an alias of the row to insert.
        if (own.error !== undefined && sent.error === undefined) unknown.push(`${own.error}: ${written}`);
        else if (own.error === undefined && JSON.stringify(own) === JSON.stringify(sent)) compared++;
        else different.push(`${written}\n  ${JSON.stringify(own)}\n  ${JSON.stringify(sent)}`);
      }
      console.log(`${compared} statements give the same, ${unknown.length} are not this server's:\n  ${unknown.join('\n  ')}`);
      expect(different).toEqual([]);
      expect(unknown.length).toBeLessThan(8);
      expect(compared).toBeGreaterThan(80);
    });

    it('have the value of their expressions', async () => {
      const random = createRandom('flat expressions');
      const texts = Array.from({ length: EXPRESSIONS }, () => flat());
      const different: string[] = [];
      let values = 0;
      for (const text of texts) {
        const written = `select account.id, ${text} as x from account where id > 0 order by id`;
        const statement = importer.statement({ sql: written, line: 1 }, schema, PARAMETERS);
        if (isRefusal(statement)) throw new Error(`${written}: ${statement.reason}`);
        if (!isQuery(statement)) throw new Error(written);
        const [own, sent] = [await connection.query(written), await connection.query(dialect.print(statement))];
        values += new Set(own.rows.map(([, x]) => x)).size;
        if (JSON.stringify(own.rows) !== JSON.stringify(sent.rows))
          different.push(`${text}: ${JSON.stringify(own.rows)} and ${JSON.stringify(sent.rows)}`);
      }
      expect(different).toEqual([]);
      // Some tell the rows apart.
      expect(values).toBeGreaterThan(1.3 * EXPRESSIONS);

      function flat(): string {
        const conditions = Array.from({ length: random.int(2, 5) }, () => `${random.pick(['', '', 'not ', 'not not '])}${condition()}`);
        return conditions.reduce((left, right) => `${left} ${random.pick(['and', 'or'])} ${right}`);
      }

      function condition(): string {
        const low = random.int(-1, 3);
        return random.pick([
          () => `${sum()} ${random.pick(['=', '<>', '!=', '<', '<=', '>', '>='])} ${sum()}`,
          () => `${sum()} ${random.pick(['', 'not '])}between ${low} and ${low + random.int(0, 4)}`,
          () => `${sum()} ${random.pick(['', 'not '])}in (${random.int(0, 3)}, ${sum()})`,
          () => `${random.pick(['note', 'opened', 'account.id', 'balance'])} is ${random.pick(['', 'not '])}null`,
          () => `note ${random.pick(['', 'not '])}like '${random.pick(['A%', '%', 'f_rst', "%''%"])}'`,
          () => `${random.pick(['', 'not '])}exists (select 1 from customer where customer.id = account.id and ${sum()} > 2)`,
          () => sum(),
        ])();
      }

      function sum(): string {
        return Array.from({ length: random.int(1, 4) }, operand).reduce(
          (left, right) => `${left} ${random.pick(['+', '-', '*', '%', 'mod'])} ${right}`,
        );
      }

      function operand(): string {
        return `${random.pick(['', '', '', '- '])}${random.pick(['id', 'account.id', 'customer_id', 'balance', '1', '2', '3', '1.5'])}`;
      }
    });

    it('mean the same where tokens are out of place', async () => {
      const random = createRandom('spoilt statements');
      const different: string[] = [];
      const counts = { same: 0, refused: 0, unknown: 0, failed: 0 };
      for (let i = 0; i < SPOILT; i++) {
        const written = spoilt(random.pick(ACCEPTED)[0], random);
        const statement = importer.statement({ sql: written, line: 1 }, schema, PARAMETERS);
        if (isRefusal(statement)) {
          counts.refused++;
          continue;
        }
        const [own, sent] = [
          await effectOf(connection, withValues(written)),
          await effectOf(connection, withValues(dialect.print(statement))),
        ];
        if (own.error !== undefined) counts[sent.error === undefined ? 'unknown' : 'failed']++;
        else if (JSON.stringify(own) === JSON.stringify(sent)) counts.same++;
        else different.push(`${written}\n  ${dialect.print(statement)}\n  ${JSON.stringify(own)}\n  ${JSON.stringify(sent)}`);
      }
      console.log(
        `of ${SPOILT} spoilt statements ${counts.refused} are refused, ${counts.same} give the same, ${counts.failed} fail both ways, ${counts.unknown} are not this server's`,
      );
      expect(different).toEqual([]);
      expect(counts.same).toBeGreaterThan(20);
    });
  },
  FAMILY,
);

/** A token is left out, put in, replaced or moved, mostly once. */
function spoilt(sql: string, random: Random): string {
  const tokens = tokensOf(sql)
    .filter(({ kind }) => kind !== 'end')
    .map(({ start, end }) => sql.slice(start, end));
  for (let n = random.pick([1, 1, 2]); n > 0; n--) {
    const at = random.int(0, tokens.length - 1);
    random.pick([
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 0, random.pick(WORDS)),
      () => tokens.splice(at, 1, random.pick(WORDS)),
      () => tokens.splice(random.int(0, tokens.length - 1), 0, ...tokens.splice(at, 1)),
    ])();
  }
  // A blank before it makes a built-in function one of the user's.
  return tokens.join(' ').replaceAll(' (', '(');
}

interface Effect {
  readonly rows?: readonly string[];
  readonly affected?: number;
  readonly tables?: readonly string[];
  readonly error?: string;
}

/** Rows in no order, and the tables as the statement leaves them; all is taken back. */
async function effectOf(connection: Connection, sql: string): Promise<Effect> {
  await connection.query('START TRANSACTION');
  try {
    if (/^(rollback|release)/i.test(sql)) await connection.query('SAVEPOINT before_it');
    const result = await connection.query(sql);
    const tables: string[] = [];
    for (const table of TABLES) tables.push(...inNoOrder(await connection.query(`SELECT * FROM ${table}`)).map((row) => `${table} ${row}`));
    return { rows: inNoOrder(result), affected: result.affected, tables };
  } catch (error) {
    return { error: (error as Error).message };
  } finally {
    await connection.query('ROLLBACK');
  }
}

function inNoOrder({ rows }: QueryResult): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function withValues(sql: string): string {
  return VALUES.reduce((text, [name, value]) => text.replaceAll(new RegExp(`${name}\\b`, 'g'), value), sql);
}
