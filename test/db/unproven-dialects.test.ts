/**
 * The first things to see on a live server of a DBMS that was written from documents: is it recognised, is each level in force
 * or refused with what to do, are all generated statements accepted, bare and instrumented, is a row lock wait seen, is
 * COMMIT's answer what it says. Skipped loudly where no such server is at hand. ANOMALIST_PROVE=mysql,postgres tries the
 * test itself on servers that are known.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { Connection, Dialect, DialectLevel, QueryResult } from '../../core/dialect/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { isWrite } from '../../core/sql/index.ts';
import { DIALECTS, availableServers } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase, optionsFor } from '../../schema-gen/index.ts';

const CASES = Number(process.env['ANOMALIST_STATEMENT_CASES'] ?? 60);
const PROVEN = (process.env['ANOMALIST_PROVE'] ?? '').split(',');
const UNPROVEN = DIALECTS.filter(({ name, ranLive }) => !ranLive || PROVEN.includes(name));

const { chosen, skipped } = availableServers();
const isOf = (target: string): Dialect | undefined => UNPROVEN.find(({ name }) => name === target.split('@')[0]);
for (const { target, why } of skipped) if (isOf(target)) describe.skip(`first sight of ${target}, skipped: ${why}`, () => it('', () => {}));

const SCHEMA: Schema = {
  tables: [
    {
      name: 't',
      primaryKey: ['k'],
      uniques: [],
      checks: [],
      foreignKeys: [],
      indexes: [],
      rows: [
        [1, 10],
        [2, 20],
      ],
      columns: [
        { name: 'k', type: { kind: 'integer' }, nullable: false },
        { name: 'v', type: { kind: 'integer' }, nullable: true },
      ],
    },
  ],
};
const SET_ONE: Statement = {
  kind: 'update',
  table: 't',
  set: [{ column: 'v', value: { kind: 'literal', type: 'integer', value: 11 } }],
  where: {
    kind: 'compare',
    op: '=',
    left: { kind: 'column', table: 't', column: 'k' },
    right: { kind: 'literal', type: 'integer', value: 1 },
  },
};

describe.each(chosen.filter(({ target }) => isOf(target)).map(({ target, start }) => ({ target, start })))(
  'first sight of $target',
  ({ target, start }) => {
    const dialect = isOf(target)!;
    const namespace = 'anomalist_first_sight';
    let server: Awaited<ReturnType<typeof start>>;
    let control: Connection;

    beforeAll(async () => {
      server = await start();
      control = await dialect.connect(server.url, {});
      await dialect.dropNamespace(control, namespace);
      for (const { sql } of dialect.namespaceScript(namespace, SCHEMA)) await control.query(sql);
    });

    afterAll(async () => {
      if (control !== undefined) {
        await dialect.dropNamespace(control, namespace);
        await control.end();
      }
      await server?.stop();
    });

    /** undefined where the level is refused, as it must be with what to do. */
    async function opened(level: DialectLevel): Promise<Connection | undefined> {
      try {
        return await dialect.connect(server.url, { namespace, level, statementTimeoutMs: 120_000, eagerDeadlocks: true });
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseError);
        expect((error as Error).message).toMatch(/run at '[^']+'.*expected '[^']+': ./);
        console.log(`${target}, ${level.level}: ${(error as Error).message}`);
        return undefined;
      }
    }

    it('names itself and the settings that its promises depend on', async () => {
      const { version, configuration } = await dialect.facts(control);
      console.log(`${target}: ${version}`, configuration);
      expect(version).not.toBe('');
      expect(Object.keys(configuration).length).toBeGreaterThan(3);
    });

    it.each(dialect.levels)('$level is in force inside the transaction, or refused', async (level) => {
      const connection = await opened(level);
      if (connection === undefined) return;
      expect(await connection.begin(level)).toEqual({ inForce: level.inForce });
      await connection.query(dialect.print(SET_ONE));
      const result = await connection.commit();
      console.log(`${target}, ${level.level}: COMMIT answered ${JSON.stringify(result)}`);
      expect(result.tag).toBe('commit');
      await connection.end();
    });

    it('tells who waits for whom', async () => {
      const level = dialect.levels[0]!;
      const [holder, waiter] = [await opened(level), await opened(level)];
      if (holder === undefined || waiter === undefined) return;
      await holder.begin(level);
      await holder.query(dialect.print(SET_ONE));
      await waiter.begin(level);
      const reply: Promise<QueryResult> = waiter.query(dialect.print(SET_ONE));
      const watcher = dialect.watchBlocked(control);
      const seen: string[] = [];
      for (let polls = 0; polls < 5_000 && seen.length === 0; polls++) {
        const waits = await watcher.waits!([holder.backend, waiter.backend]);
        if (waits.has(waiter.backend)) seen.push(...waits.get(waiter.backend)!, 'waits');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await holder.commit();
      await reply;
      await waiter.rollback();
      await Promise.all([holder.end(), waiter.end()]);
      expect(seen).toEqual([holder.backend, 'waits']);
    });

    it(`accepts all statements of ${CASES} generated cases, bare and instrumented`, async () => {
      const refused: string[] = [];
      let statements = 0;
      let constraints = 0;
      for (let i = 0; i < CASES; i++) {
        const testCase = generateCase(`first sight ${i}`, { mode: 'schedule', ...optionsFor(dialect.capabilities) });
        const probed = instrument(testCase, {
          mode: 'exact',
          capabilities: dialect.capabilities,
          images: true,
          level: dialect.levels[0]!.level,
        });
        const name = `${namespace}_${i}`;
        await dialect.dropNamespace(control, name);
        for (const { sql } of dialect.namespaceScript(name, probed.schema)) await control.query(sql);
        const connection = await dialect.connect(server.url, { namespace: name, statementTimeoutMs: 120_000 });
        for (const { original, statement } of probed.sessions.flatMap(({ transactions }) =>
          transactions.flatMap((txn) => txn.statements),
        )) {
          if (original.kind === 'savepoint' || original.kind === 'rollbackTo' || original.kind === 'release') continue;
          for (const sql of [dialect.print(original), dialect.print(statement)]) {
            statements++;
            await connection.begin(dialect.levels.at(-1)!);
            if (dialect.capabilities.capture !== undefined) await connection.query(dialect.capabilities.capture.before);
            const failure = await connection.query(sql).then(
              () => undefined,
              (error: unknown) => dialect.classifyError(error),
            );
            await connection.rollback();
            if (failure?.class === 'constraint' && isWrite(original)) constraints++;
            else if (failure !== undefined) refused.push(`first sight ${i}: ${failure.code} ${failure.message}: ${sql}`);
          }
        }
        await connection.end();
        await dialect.dropNamespace(control, name);
      }
      console.log(
        `${target}: ${CASES} cases, ${statements} statements, ${constraints} failed on a constraint, ${refused.length} refused otherwise`,
      );
      expect(refused.slice(0, 20)).toEqual([]);
      expect(constraints).toBeLessThan(0.2 * statements);
    });
  },
);
