/** What servers say of a transaction's locks, read as data: which table, which index, and whether a row or a gap is locked. */
import { expect, test } from 'vitest';
import { dataLock, statusLocks } from '../../../dialects/mysql-family/footprints.ts';
import { readLock } from '../../../dialects/postgres/footprints.ts';

test('a SIReadLock of an index counts for its table', () => {
  expect(readLock(['two', null, 'relation'])).toEqual({ table: 'two', kind: 'table', mode: 'SIReadLock' });
  expect(readLock(['two', 'two_g', 'page'])).toEqual({ table: 'two', index: 'two_g', kind: 'page', mode: 'SIReadLock' });
  expect(readLock(['two', null, 'tuple'])).toEqual({ table: 'two', kind: 'row', mode: 'SIReadLock' });
  expect(() => readLock(['two', null, 'extend'])).toThrow(/"extend"/);
});

test('a row of data_locks is a row, a gap or both, and the end of an index is a gap', () => {
  const kinds = (
    [
      ['two', 'PRIMARY', 'RECORD', 'S,REC_NOT_GAP', '0'],
      ['two', 'PRIMARY', 'RECORD', 'S,GAP', '0'],
      ['two', 'two_g', 'RECORD', 'X', '0'],
      ['two', 'two_g', 'RECORD', 'X', '1'],
      ['two', null, 'TABLE', 'S', null],
    ] as const
  ).map((row) => dataLock(row).map(({ kind }) => kind));
  expect(kinds).toEqual([['row'], ['gap'], ['row and gap'], ['gap'], ['table']]);
});

test('intention locks and insert intentions keep nobody out, so they are left out', () => {
  expect(dataLock(['two', null, 'TABLE', 'IS', null])).toEqual([]);
  expect(dataLock(['two', null, 'TABLE', 'IX', null])).toEqual([]);
  expect(dataLock(['two', 'PRIMARY', 'RECORD', 'X,GAP,INSERT_INTENTION', '0'])).toEqual([]);
});

const STATUS = `
=====================================
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION (0x7ff4c991c180), not started
0 lock struct(s), heap size 1128, 0 row lock(s)
---TRANSACTION 22, ACTIVE 0 sec
4 lock struct(s), heap size 1128, 4 row lock(s)
MariaDB thread id 4, OS thread handle 140280948885184, query id 37 127.0.0.1 root
TABLE LOCK table \`shop\`.\`two\` trx id 22 lock mode IX
RECORD LOCKS space id 5 page no 3 n bits 72 index PRIMARY of table \`shop\`.\`two\` trx id 22 lock_mode X locks rec but not gap
Record lock, heap no 2 PHYSICAL RECORD: n_fields 5; compact format; info bits 0
 0: len 4; hex 80000001; asc     ;;

RECORD LOCKS space id 5 page no 4 n bits 72 index two_g of table \`shop\`.\`two\` trx id 22 lock mode S locks gap before rec
Record lock, heap no 2 PHYSICAL RECORD: n_fields 2; compact format; info bits 0
RECORD LOCKS space id 6 page no 3 n bits 72 index PRIMARY of table \`shop\`.\`parts#P#p0\` trx id 22 lock mode S
Record lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0
 0: len 8; hex 73757072656d756d; asc supremum;;

RECORD LOCKS space id 7 page no 3 n bits 72 index PRIMARY of table \`shop\`.\`both\` trx id 22 lock mode S
Record lock, heap no 1 PHYSICAL RECORD: n_fields 1; compact format; info bits 0
Record lock, heap no 3 PHYSICAL RECORD: n_fields 5; compact format; info bits 0
RECORD LOCKS space id 8 page no 3 n bits 72 index PRIMARY of table \`other\`.\`two\` trx id 22 lock mode S
Record lock, heap no 2 PHYSICAL RECORD: n_fields 5; compact format; info bits 0
---TRANSACTION 23, ACTIVE 0 sec
MariaDB thread id 40, OS thread handle 140280948885184, query id 38 127.0.0.1 root
RECORD LOCKS space id 5 page no 3 n bits 72 index PRIMARY of table \`shop\`.\`one\` trx id 23 lock mode S
Record lock, heap no 2 PHYSICAL RECORD: n_fields 5; compact format; info bits 0
`;

test("the status of InnoDB has a connection's own locks in our namespace alone", () => {
  expect(statusLocks(STATUS, '4', 'shop')).toEqual([
    { table: 'two', index: 'PRIMARY', kind: 'row', mode: 'X' },
    { table: 'two', index: 'two_g', kind: 'gap', mode: 'S' },
    { table: 'parts', index: 'PRIMARY', kind: 'gap', mode: 'S' },
    { table: 'both', index: 'PRIMARY', kind: 'gap', mode: 'S' },
    { table: 'both', index: 'PRIMARY', kind: 'row and gap', mode: 'S' },
  ]);
  expect(statusLocks(STATUS, '40', 'shop')).toEqual([{ table: 'one', index: 'PRIMARY', kind: 'row and gap', mode: 'S' }]);
  expect(statusLocks(STATUS, '5', 'shop')).toEqual([]);
});
