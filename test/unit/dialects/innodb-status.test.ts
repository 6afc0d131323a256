import { expect, it } from 'vitest';
import { waitingIn } from '../../../dialects/mysql-family/innodb-status.ts';

const STATUS = `------------
TRANSACTIONS
------------
LIST OF TRANSACTIONS FOR EACH SESSION:
---TRANSACTION (0x7ff4c991c180), ACTIVE 0 sec starting index read
mysql tables in use 1, locked 1
LOCK WAIT 2 lock struct(s), heap size 1120, 1 row lock(s)
MariaDB thread id 4, OS thread handle 140689640289984, query id 39 127.0.0.1 root Statistics
SELECT * FROM t WHERE k = 1 /* LOCK WAIT */
------- TRX HAS BEEN WAITING 28217 us FOR THIS LOCK TO BE GRANTED:
RECORD LOCKS space id 8 page no 3 n bits 320 index PRIMARY of table \`x\`.\`t\` trx id 0 lock mode S locks rec but not gap waiting
------------------
---TRANSACTION 22, ACTIVE 0 sec starting index read
LOCK WAIT 2 lock struct(s), heap size 1120, 1 row lock(s)
MariaDB thread id 17, OS thread handle 140689640289985, query id 40 127.0.0.1 root Updating
UPDATE t SET v = 'MariaDB thread id 9,' WHERE k = 1
---TRANSACTION 21, ACTIVE 0 sec
2 lock struct(s), heap size 1120, 1 row lock(s), undo log entries 1
MariaDB thread id 3, OS thread handle 140689640597184, query id 35 127.0.0.1 root
--------
FILE I/O
--------
`;

it('tells the sessions that wait, those included that have only read', () => {
  expect([...waitingIn(STATUS)]).toEqual(['4', '17']);
});
