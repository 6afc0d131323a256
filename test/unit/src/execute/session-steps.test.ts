/** What a session sends next: after a failure, at the next ROLLBACK TO, with captures, and where rows may be read again. */
import { describe, expect, test } from 'vitest';
import { DatabaseError } from '../../../../core/base/index.ts';
import { LAST_READ } from '../../../../core/sql/index.ts';
import type { Query, Statement } from '../../../../core/sql/index.ts';
import type { Dialect } from '../../../../core/dialect/index.ts';
import type { ProbedTxn } from '../../../../core/program/index.ts';
import type { HistoryEvent } from '../../../../core/history/index.ts';
import { mariadb, mysql, postgres } from '../../../../dialects/index.ts';
import { instrument } from '../../../../instrument/index.ts';
import { queryOf, statementOf } from '../../../sql.ts';
import { ONE_TABLE } from './one-table.ts';
import { played, scripted } from './scripted-connection.ts';
import type { Answer } from './scripted-connection.ts';

const select = queryOf(ONE_TABLE, 'SELECT k FROM t');
const update = statementOf(ONE_TABLE, 'UPDATE t SET k = 2');
const remove = statementOf(ONE_TABLE, 'DELETE FROM t WHERE k = 1');
const insert = statementOf(ONE_TABLE, 'INSERT INTO t (k) VALUES (1)');
const savepoint = (name: string): Statement => ({ kind: 'savepoint', name });
const rollbackTo = (name: string): Statement => ({ kind: 'rollbackTo', name });
const release = (name: string): Statement => ({ kind: 'release', name });

const refused = (code: string): Error => Object.assign(new Error(`refused by ${code}`), { code, severity: 'ERROR' });
const errno = (number: number): Error => Object.assign(new Error(`said ${number}`), { errno: number });

/** A session's transactions, each of these statements. */
function planOf(
  transactions: readonly (readonly Statement[])[],
  { capabilities }: Dialect,
  more: Partial<Pick<ProbedTxn, 'end' | 'autocommit' | 'begin'>> = {},
): readonly ProbedTxn[] {
  const plans = transactions.map((statements, i) => ({ id: i + 1, statements, end: 'commit', autocommit: false, ...more }) as const);
  return instrument({ seed: 's', schema: ONE_TABLE, sessions: [{ transactions: plans }] }, { mode: 'exact', capabilities }).sessions[0]!
    .transactions;
}

/** The first words of what was sent, with the name of a savepoint. */
function spelt(sent: readonly string[]): string {
  return sent
    .map((sql) => /^(SAVEPOINT|ROLLBACK TO|RELEASE)\b.*?(\w)\W*$/.exec(sql)?.slice(1).join(' ') ?? sql.split(' ', 1)[0]!)
    .join(', ');
}

describe('after a statement that failed', () => {
  /** The UPDATE of the first transaction fails. */
  async function after(dialect: Dialect, error: Error, ...transactions: readonly (readonly Statement[])[]): Promise<string> {
    let failures = 0;
    const script = scripted(dialect, (sql) => (sql.startsWith('UPDATE') && failures++ === 0 ? error : undefined));
    await played(script, planOf(transactions, dialect));
    return spelt(script.sent.filter((sql) => !/^(SET|SELECT) @iso_c/.test(sql)));
  }
  const back = [savepoint('a'), update, select, rollbackTo('a'), select];

  test('PostgreSQL goes on at the next ROLLBACK TO an open savepoint', async () => {
    expect(await after(postgres, refused('23505'), back)).toBe('BEGIN, SAVEPOINT a, UPDATE, ROLLBACK TO a, SELECT, COMMIT');
  });

  test.each([
    ['40P01', 'deadlock'],
    ['40001', 'serialization failure'],
  ])('but not after %s, a %s, which only a new transaction mends', async (code) => {
    expect(await after(postgres, refused(code), back)).toBe('BEGIN, SAVEPOINT a, UPDATE, ROLLBACK');
  });

  test('nor on a server that keeps no savepoint when an error ends the transaction', async () => {
    expect(await after(mysql, errno(1206), back)).toBe('BEGIN, SAVEPOINT a, UPDATE, ROLLBACK');
  });

  test('an error of the statement alone lets the plan go on as it is', async () => {
    expect(await after(mysql, errno(1062), back)).toBe('BEGIN, SAVEPOINT a, UPDATE, SELECT, ROLLBACK TO a, SELECT, COMMIT');
  });

  test('a savepoint is open from its SAVEPOINT to its RELEASE, and ROLLBACK TO leaves it open', async () => {
    expect(await after(postgres, refused('23505'), [update, savepoint('a'), rollbackTo('a')])).toBe('BEGIN, UPDATE, ROLLBACK');
    expect(await after(postgres, refused('23505'), [savepoint('a'), release('a'), update, rollbackTo('a')])).toBe(
      'BEGIN, SAVEPOINT a, RELEASE a, UPDATE, ROLLBACK',
    );
    expect(await after(postgres, refused('23505'), [savepoint('a'), rollbackTo('a'), update, rollbackTo('a')])).toBe(
      'BEGIN, SAVEPOINT a, ROLLBACK TO a, UPDATE, ROLLBACK TO a, COMMIT',
    );
  });

  test('of two savepoints of one name the later one is released, with what came after it', async () => {
    const opened = [savepoint('a'), savepoint('b'), savepoint('a'), savepoint('c'), release('a'), update];
    expect(await after(postgres, refused('23505'), [...opened, rollbackTo('c'), rollbackTo('b')])).toMatch(
      /UPDATE, ROLLBACK TO b, COMMIT$/,
    );
  });

  test('savepoints end with their transaction', async () => {
    let updates = 0;
    const script = scripted(postgres, (sql) => (sql.startsWith('UPDATE') && ++updates === 1 ? refused('23505') : undefined));
    await played(
      script,
      planOf(
        [
          [savepoint('a'), select],
          [update, rollbackTo('a')],
        ],
        postgres,
      ),
    );
    expect(spelt(script.sent)).toBe('BEGIN, SAVEPOINT a, SELECT, COMMIT, BEGIN, UPDATE, ROLLBACK');
  });
});

describe('a session is not trusted further', () => {
  test('whose ROLLBACK failed: it is connected again, or lost', async () => {
    const script = scripted(mysql, (sql) => (sql === 'ROLLBACK' ? errno(1105) : undefined));
    const { session } = await played(script, planOf([[select], [select]], mysql, { end: 'rollback' }));
    expect(session.lost).toBe('said 1105');
    expect(spelt(script.sent)).toBe('BEGIN, SELECT, ROLLBACK');
  });

  test('whose level in force is another: nothing is sent in the transaction, and it counts as aborted', async () => {
    const script = scripted(postgres, (sql) => (sql === 'BEGIN' ? { inForce: 'serializable' } : undefined));
    await expect(played(script, planOf([[update]], postgres))).rejects.toThrow(DatabaseError);
    await expect(played(script, planOf([[update]], postgres))).rejects.toThrow(
      /the level in force is 'serializable', asked for 'read committed'/,
    );
    expect(script.sent).toEqual(['BEGIN', 'BEGIN']);
  });
});

describe('the variable of captures', () => {
  const captures = (sent: readonly string[]): string =>
    sent.map((sql) => (sql.startsWith('SET') ? 'empty' : sql.includes('SELECT @iso_c') ? 'read' : sql.split(' ', 1)[0]!)).join(', ');

  test('is emptied once where reading it empties it, and again after a failure or on another connection', async () => {
    const run = async (error: Error): Promise<string> => {
      let updates = 0;
      const answers: readonly Answer[] = [undefined, undefined, error];
      const script = scripted(mariadb, (sql) => (sql.startsWith('UPDATE') ? answers[updates++] : undefined));
      await played(script, planOf([[update], [update], [update], [update]], mariadb), { again: true });
      return captures(script.sent);
    };
    const twice = 'BEGIN, empty, UPDATE, read, COMMIT, BEGIN, UPDATE, read, COMMIT, BEGIN, UPDATE';
    expect(await run(errno(1062))).toBe(`${twice}, COMMIT, BEGIN, empty, UPDATE, read, COMMIT`);
    expect(await run(Object.assign(new Error('gone'), { code: 'ECONNRESET' }))).toBe(`${twice}, BEGIN, empty, UPDATE, read, COMMIT`);
  });

  test('is emptied on a connection made anew, though it had been empty on the one before', async () => {
    const script = scripted(mariadb, (sql) => (sql === 'COMMIT' ? Object.assign(new Error('gone'), { code: 'ECONNRESET' }) : undefined));
    await played(script, planOf([[update], [update]], mariadb), { again: true });
    expect(captures(script.sent)).toBe('BEGIN, empty, UPDATE, read, COMMIT, BEGIN, empty, UPDATE, read, COMMIT');
  });

  test('is not asked for by a statement in which nothing captures', async () => {
    const script = scripted(mysql, (sql) => (sql.startsWith('INSERT') ? { affected: 1 } : undefined));
    await played(script, planOf([[insert]], mysql));
    expect(captures(script.sent)).toBe('BEGIN, INSERT, COMMIT');
  });
});

describe('rows in doubt are read again', () => {
  const CAPTURED = '["t","r0.0_1",",0.0"],["t","r0.0_2",",0.0"],';
  /** The DELETE of the last transaction captured two rows and removed one; was anything sent behind it before the end? */
  async function readAgain(
    level: string,
    transactions: readonly (readonly Statement[])[],
    more: Partial<Pick<ProbedTxn, 'autocommit' | 'begin'>> = {},
  ): Promise<boolean> {
    const script = scripted(mysql, (sql) =>
      sql.startsWith('DELETE') ? { affected: 1 } : sql.includes('SELECT @iso_c') ? { rows: [[CAPTURED]], affected: 1 } : undefined,
    );
    const { events } = await played(script, planOf(transactions, mysql, more), { level });
    return events.some((event) => event.e === 'invoke' && event.k === 'probe');
  }
  const locking = statementOf(ONE_TABLE, 'SELECT k FROM t FOR UPDATE');

  test('at READ COMMITTED, within the transaction', async () => {
    expect(await readAgain('read-committed', [[remove]])).toBe(true);
    expect(await readAgain('read-committed', [[remove]], { autocommit: true })).toBe(false);
  });

  test('at REPEATABLE READ only behind a plain read of the same transaction: it would open the snapshot', async () => {
    expect(await readAgain('repeatable-read', [[remove]])).toBe(false);
    expect(await readAgain('repeatable-read', [[select, remove]])).toBe(true);
    expect(await readAgain('repeatable-read', [[locking, remove]])).toBe(false);
    expect(await readAgain('repeatable-read', [[select], [remove]])).toBe(false);
  });

  test('or where BEGIN has opened it', async () => {
    expect(await readAgain('repeatable-read', [[remove]], { begin: 'consistent snapshot' })).toBe(true);
    expect(await readAgain('repeatable-read', [[remove]], { begin: 'read only' })).toBe(false);
  });

  test('at SERIALIZABLE never: it would lock', async () => {
    expect(await readAgain('serializable', [[select, remove]])).toBe(false);
  });
});

describe('statements that are prepared', () => {
  const other = queryOf(ONE_TABLE, 'SELECT k FROM t WHERE k = 7');

  test('are executed under the name that their text has, savepoints go as text, and what failed is prepared anew', async () => {
    let executed = 0;
    const script = scripted(mysql, (sql) => (sql.startsWith('EXECUTE') && ++executed === 3 ? errno(1062) : undefined));
    await played(script, planOf([[select, savepoint('a'), select, other, other]], mysql), { send: 'prepared by text' });
    const said = script.sent.map((sql) => sql.replace(/ FROM '.*/s, ''));
    expect(said).toEqual([
      'BEGIN',
      'PREPARE iso_0',
      'EXECUTE iso_0',
      'SAVEPOINT `a`',
      'EXECUTE iso_0',
      'PREPARE iso_1',
      'EXECUTE iso_1',
      'PREPARE iso_2',
      'EXECUTE iso_2',
      'COMMIT',
    ]);
    expect(script.sent[1]).toBe(
      `PREPARE iso_0 FROM '${mysql.print(planOf([[select]], mysql)[0]!.statements[0]!.statement, 'n').replaceAll("'", "''")}'`,
    );
  });

  test('on PostgreSQL what an earlier user of the connection prepared is given up first, and no more than eight texts keep their names', async () => {
    const texts = Array.from({ length: 9 }, (_, i): Query => queryOf(ONE_TABLE, `SELECT k FROM t WHERE k = 7 LIMIT ${i + 1}`));
    const script = scripted(postgres, () => undefined);
    await played(script, planOf([[...texts, texts[1]!, texts[0]!]], postgres), { send: 'prepared by text' });
    const said = script.sent.map((sql) => sql.replace(/ AS .*/s, ''));
    expect(said.slice(0, 4)).toEqual(['BEGIN', 'DEALLOCATE ALL', 'PREPARE iso_0', 'EXECUTE iso_0']);
    expect(said.slice(-8)).toEqual([
      'DEALLOCATE iso_0',
      'PREPARE iso_8',
      'EXECUTE iso_8',
      'EXECUTE iso_1',
      'DEALLOCATE iso_2',
      'PREPARE iso_9',
      'EXECUTE iso_9',
      'COMMIT',
    ]);
  });

  test('stand between the two that empty and read the variable of captures, and so on record', async () => {
    const script = scripted(mysql, (sql) => (sql.startsWith('SELECT @iso_c') ? { rows: [['']] } : undefined));
    const { events } = await played(script, planOf([[remove]], mysql), { send: 'prepared by text' });
    expect(script.sent.map((sql) => sql.split(' ', 1)[0])).toEqual(['BEGIN', 'SET', 'PREPARE', 'EXECUTE', 'SELECT', 'COMMIT']);
    const invoked = events.flatMap((event) => (event.e === 'invoke' && event.k === 'delete' ? [event.sql] : []));
    expect(invoked).toHaveLength(1);
    expect(invoked[0]).toMatch(/^SET @iso_c = x''; PREPARE iso_0 FROM 'DELETE .*; EXECUTE iso_0; SELECT @iso_c/s);
  });

  test("go by the protocol's messages where the connection can, and the record says so", async () => {
    const script = scripted(postgres, () => undefined);
    const { events } = await played(script, planOf([[savepoint('a'), select]], postgres), { send: 'prepared by protocol' });
    expect(script.sent.map((sql) => sql.slice(0, 19))).toEqual(['BEGIN', 'SAVEPOINT "a"', 'by protocol: SELECT', 'COMMIT']);
    const invoked = events.flatMap((event) => (event.e === 'invoke' && event.k === 'select' ? [event.sql] : []));
    expect(invoked[0]).toMatch(/^\/\* prepared by the protocol \*\/ SELECT /);
  });
});

describe('on record', () => {
  test('is how a transaction begins, as it was sent; plainly where the DBMS has no such form', async () => {
    const begun = async (dialect: Dialect, begin: NonNullable<ProbedTxn['begin']>): Promise<unknown> => {
      const script = scripted(dialect, () => undefined);
      const { events } = await played(script, planOf([[select]], dialect, { begin }));
      return [script.sent[0], events.flatMap((event) => (event.e === 'invoke' && event.k === 'begin' ? [event.sql] : []))];
    };
    expect(await begun(postgres, 'deferrable')).toEqual(['BEGIN READ ONLY, DEFERRABLE', ['BEGIN READ ONLY, DEFERRABLE']]);
    expect(await begun(mysql, 'consistent snapshot')).toEqual(['BEGIN WITH CONSISTENT SNAPSHOT', ['BEGIN WITH CONSISTENT SNAPSHOT']]);
    expect(await begun(postgres, 'consistent snapshot')).toEqual(['BEGIN', ['BEGIN']]);
  });

  test("a deadlock's victim has waited, another failure need not have", async () => {
    const blocked = async (code: string): Promise<unknown> => {
      const { events } = await played(
        scripted(postgres, (sql) => (sql.startsWith('UPDATE') ? refused(code) : undefined)),
        planOf([[update]], postgres),
      );
      return events.find((event: HistoryEvent) => event.e === 'fail')?.blocked;
    };
    expect([await blocked('40P01'), await blocked('23505')]).toEqual([true, undefined]);
  });
});

test('what a compare-and-set expects is what the last query returned, whatever was written since', async () => {
  const compareAndSet = statementOf(ONE_TABLE, `DELETE FROM t WHERE k = :${LAST_READ}`, { [LAST_READ]: 'integer' });
  const script = scripted(postgres, (sql) => (sql.startsWith('SELECT') ? { rows: [['41', '[]']], affected: 1 } : undefined));
  await played(script, planOf([[select, update, compareAndSet]], postgres), { binds: true });
  expect(script.sent.find((sql) => sql.startsWith('DELETE'))).toContain('41');
});
