/** The statements of the key-value workloads. operation.ts tells what each does to which object. */
import { LAST_READ } from '../../core/index.ts';
import type { Expression, Statement } from '../../core/index.ts';

export const KEY_VALUE_TABLE = 'kv';

const key = (k: number): Expression => ({ kind: 'literal', type: 'integer', value: k });
const column = (name: string): Expression => ({ kind: 'column', table: KEY_VALUE_TABLE, column: name });
const isKey = (k: number): Expression => ({ kind: 'compare', op: '=', left: column('k'), right: key(k) });

export function read(k: number): Statement {
  return {
    kind: 'select',
    items: [{ expression: column('v'), alias: 'v' }],
    from: { kind: 'table', table: KEY_VALUE_TABLE, alias: KEY_VALUE_TABLE },
    where: isKey(k),
  };
}

export function write(k: number, value: number): Statement {
  return {
    kind: 'update',
    table: KEY_VALUE_TABLE,
    set: [{ column: 'v', value: { kind: 'literal', type: 'integer', value } }],
    where: isKey(k),
  };
}

/** Takes effect if the object has the value that the session has read last. */
export function compareAndSet(k: number, value: number): Statement {
  const hasExpected: Expression = {
    kind: 'compare',
    op: '=',
    left: column('v'),
    right: { kind: 'parameter', name: LAST_READ, type: 'integer' },
  };
  return {
    kind: 'update',
    table: KEY_VALUE_TABLE,
    set: [{ column: 'v', value: { kind: 'literal', type: 'integer', value } }],
    where: { kind: 'logic', op: 'and', operands: [isKey(k), hasExpected] },
  };
}

/** Writes the value that the session has read last, with `by` added. Past `around` it begins at 1 again. */
export function moveLastRead(k: number, by: number, around: number): Statement {
  const call = (name: 'coalesce' | 'mod', a: Expression, b: Expression): Expression => ({ kind: 'call', name, args: [a, b] });
  const plus = (a: Expression, b: number): Expression => ({ kind: 'arithmetic', op: '+', left: a, right: key(b) });
  const lastRead: Expression = call('coalesce', { kind: 'parameter', name: LAST_READ, type: 'integer' }, key(0));
  const value = plus(call('mod', plus(lastRead, by - 1), key(around)), 1);
  return { kind: 'update', table: KEY_VALUE_TABLE, set: [{ column: 'v', value }], where: isKey(k) };
}

/** The effect of an INSERT if the object exists already. */
export type IfPresent = 'fail' | 'nothing' | 'update';

export function insert(k: number, value: number, ifPresent: IfPresent): Statement {
  const written: Expression = { kind: 'literal', type: 'integer', value };
  return {
    kind: 'insert',
    table: KEY_VALUE_TABLE,
    columns: ['k', 'v'],
    rows: [[key(k), written]],
    ...(ifPresent === 'nothing' && { conflict: { action: 'nothing', columns: ['k'] } }),
    ...(ifPresent === 'update' && { conflict: { action: 'update', columns: ['k'], set: [{ column: 'v', value: written }] } }),
  };
}

export function append(k: number, element: string): Statement {
  return { kind: 'update', table: KEY_VALUE_TABLE, set: [{ column: 'v', value: longer(element) }], where: isKey(k) };
}

export function upsert(k: number, element: string): Statement {
  return {
    kind: 'insert',
    table: KEY_VALUE_TABLE,
    columns: ['k', 'v'],
    rows: [[key(k), text(element)]],
    conflict: { action: 'update', columns: ['k'], set: [{ column: 'v', value: longer(element) }] },
  };
}

const text = (value: string): Expression => ({ kind: 'literal', type: 'text', value });

function longer(element: string): Expression {
  return { kind: 'concat', operands: [column('v'), text(element)] };
}
