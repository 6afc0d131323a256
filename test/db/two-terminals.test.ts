/** Schedules that are stepped by hand: those that would show nothing are an error, not a race that is kept. */
import { describe, expect, it } from 'vitest';
import { describeEachServer } from './each-server.ts';
import { fileByLines } from './file-by-lines.ts';
import { sharedServer } from './suite-server.ts';
import { brokenBy } from './two-terminals.ts';

const SEATS = `
-- @schema
CREATE TABLE seats (id int PRIMARY KEY, holder int);
CREATE TABLE tickets (id int PRIMARY KEY, seat_id int NOT NULL);

-- @data
INSERT INTO seats (id, holder) VALUES (1, NULL);

-- @transaction take
-- @parameter :ticket unique
SELECT holder INTO :holder FROM seats WHERE id = 1;
IF :holder IS NOT NULL ROLLBACK;
INSERT INTO tickets (id, seat_id) VALUES (:ticket, 1);
UPDATE seats SET holder = :ticket WHERE id = 1;

-- @invariant one-ticket-a-seat
SELECT seat_id FROM tickets GROUP BY seat_id HAVING count(*) > 1;
`;
const LOCKED = SEATS.replace('WHERE id = 1;', 'WHERE id = 1 FOR UPDATE;');
const PAIR = [
  { transaction: 'take', values: { ticket: 1 } },
  { transaction: 'take', values: { ticket: 2 } },
] as const;

describeEachServer(
  'schedules by hand',
  (at) => {
    const suite = sharedServer(at);
    const broken = (text: string, level = 'READ COMMITTED', retries = 0): Promise<readonly string[]> =>
      brokenBy(fileByLines(text), PAIR, { url: suite.server.url, level, retries, stops: 2 });

    it('break what is not guarded, and do not break what is', async () => {
      const found = await broken(SEATS);
      expect(found).toContain(
        '1 steps of {"transaction":"take","values":{"ticket":1}}, 5 of {"transaction":"take","values":{"ticket":2}}, then the rest',
      );
      expect(await broken(LOCKED)).toEqual([]);
      expect(await broken(SEATS, 'REPEATABLE READ', 2)).toEqual([]);
    });

    describe('are an error', () => {
      it.each([
        ['where a statement cannot be run', LOCKED.replace('UPDATE seats', 'UPDATE saets'), 'relation "saets" does not exist'],
        ['where an IF cannot be run', LOCKED.replace('IF :holder', 'IF holder'), 'column "holder" does not exist'],
        ['where an IF is not known as one', LOCKED.replace('IF :holder IS', 'if :holder IS'), 'syntax error at or near "if"'],
        ['where a parameter has no value', LOCKED.replace('(:ticket, 1)', '(:tickte, 1)'), ':tickte has no value'],
        ['where rows are refused as they are', LOCKED.replace('(:ticket, 1)', '(:ticket, NULL)'), 'null value in column "seat_id"'],
        ['where a transaction ends by its own IF', LOCKED.replace('IS NOT NULL ROLLBACK', 'IS NULL ROLLBACK'), 'is rolled back'],
        [
          'where rows are refused by a constraint',
          LOCKED.replace('(1, NULL);', '(1, NULL); INSERT INTO tickets VALUES (1, 9);'),
          'is against a constraint',
        ],
        ['where no invariant is read', LOCKED.replace(/-- @invariant.*/s, ''), 'no invariant'],
        ['where a part of the file is not read', LOCKED.replace('@invariant', '@invariants'), 'not read here: @invariants'],
        [
          'where the transactions break it one after the other',
          LOCKED.replace('IF :holder IS NOT NULL ROLLBACK;', ''),
          'one after the other',
        ],
        ['where a transaction has another name', LOCKED.replace('@transaction take', '@transaction took'), 'no transaction take'],
      ])('%s', async (_, text, message) => {
        await expect((async () => broken(text))()).rejects.toThrow(message);
      });
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.capabilities.returning.update, once: true },
);
