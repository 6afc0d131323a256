/** Reads a statement of a transaction: queries, writes, savepoints, locks. */
import type { Drawn, Expression } from '../../../core/index.ts';
import { refuse, type DeclaredType, type Unresolved } from '../../import/index.ts';
import { consume, kindOf, type Fields, type Node } from './fields.ts';
import { readAdvisoryLock } from './read-advisory-lock.ts';
import type { Reading } from './read-expression.ts';
import { readLockTable } from './read-lock-table.ts';
import { readMerge } from './read-merge.ts';
import { readQuery } from './read-query.ts';
import { readWithWrites } from './read-with-writes.ts';
import { readDelete, readInsert, readUpdate } from './read-write.ts';
import { REFUSED_CONTROL, REFUSED_STATEMENTS } from './refused.ts';

type Readers = Readonly<Record<string, (fields: Fields, reading: Reading) => Unresolved>>;

export function readStatement(
  node: Node,
  types: ReadonlyMap<string, DeclaredType>,
  parameter: (index: number) => Expression,
  drawn: (what: Drawn) => Expression,
  functions: ReadonlySet<string>,
): Unresolved {
  const reading: Reading = { parameter, query: readQuery, types, functions, drawn };
  const [kind, inner] = kindOf(node);
  const read = (each: string, its: Node): Unresolved => readBare(each, its, reading);
  return readWithWrites(kind, inner, read) ?? read(kind, inner);
}

function readBare(kind: string, node: Node, reading: Reading): Unresolved {
  if (kind === 'SelectStmt') return { statement: readAdvisoryLock(node, reading) ?? readQuery(node, reading) };
  const read = READERS[kind];
  if (read === undefined)
    return refuse(
      REFUSED_STATEMENTS[kind] ?? `the statement ${kind} is not supported: write SELECT, INSERT, UPDATE, DELETE, MERGE or a savepoint`,
    );
  return consume(kind, node, (fields) => read(fields, reading));
}

const READERS: Readers = {
  InsertStmt: readInsert,
  UpdateStmt: readUpdate,
  DeleteStmt: readDelete,
  MergeStmt: readMerge,
  LockStmt: readLockTable,
  TransactionStmt: (f) => {
    const kind = SAVEPOINTS[f.text('kind')] ?? refuse(REFUSED_CONTROL);
    return { statement: { kind, name: f.text('savepoint_name') } };
  },
};

const SAVEPOINTS: Readonly<Record<string, 'savepoint' | 'rollbackTo' | 'release'>> = {
  TRANS_STMT_SAVEPOINT: 'savepoint',
  TRANS_STMT_ROLLBACK_TO: 'rollbackTo',
  TRANS_STMT_RELEASE: 'release',
};
