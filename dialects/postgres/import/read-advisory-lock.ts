/**
 * Reads `SELECT pg_advisory_xact_lock(:account)` as a whole statement: a lock under one number, which ends with its
 * transaction. In any other place, and with two numbers, the function is refused like others (refused.ts).
 */
import { contentsOfExpressions } from '../../../core/sql/index.ts';
import type { AdvisoryLock, Expression } from '../../../core/sql/index.ts';
import { refuse } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Node } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';

const FUNCTION = 'pg_advisory_xact_lock';

/** Undefined: it is another query. */
export function readAdvisoryLock(node: Node, reading: Reading): AdvisoryLock | undefined {
  if (!isAdvisoryLock(node)) return undefined;
  return consume('SelectStmt', node, (f) => {
    f.expect('op', ['SETOP_NONE']);
    f.expect('limitOption', ['LIMIT_OPTION_DEFAULT']);
    const [item] = f.nodes('targetList');
    return consume('ResTarget', inside(item!, 'ResTarget'), (target) => {
      target.text('name');
      return consume('FuncCall', inside(target.node('val'), 'FuncCall'), (call) => {
        call.nodes('funcname');
        call.expect('funcformat', ['COERCE_EXPLICIT_CALL']);
        const [key, another] = call.nodes('args');
        if (key === undefined || another !== undefined) refuse(`${FUNCTION}() is supported with one number only: give it one`);
        return { kind: 'advisoryLock', key: numberOf(readExpression(key, reading)) };
      });
    });
  });
}

function numberOf(key: Expression): Expression {
  const other = contentsOfExpressions([key]).expressions.find(
    (each) => each.kind === 'parameter' && each.type !== 'integer' && each.type !== 'bigint',
  );
  return other?.kind === 'parameter' ? refuse(`${FUNCTION}() takes a whole number, and :${other.name} is none (${other.type})`) : key;
}

/** Whether the query has one item, which calls the function, and no FROM. */
function isAdvisoryLock(node: Node): boolean {
  const targets = node['targetList'];
  if (node['fromClause'] !== undefined || !Array.isArray(targets) || targets.length !== 1) return false;
  const [kind, target] = kindOf(targets[0] as Node);
  const value = target['val'];
  if (kind !== 'ResTarget' || typeof value !== 'object' || value === null) return false;
  const [called, call] = kindOf(value as Node);
  return called === 'FuncCall' && namesIn(call['funcname'] as readonly Node[]).at(-1) === FUNCTION;
}
