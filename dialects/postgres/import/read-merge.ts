/** Turns MERGE of PostgreSQL's parser into unresolved IR. */
import type { MergeBranch } from '../../../core/sql/index.ts';
import { refuse, type Unresolved } from '../../import/index.ts';
import { consume, inside, type Fields, type Node } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';
import { readFrom, readRelation } from './read-query.ts';
import { readReturning, readSet } from './read-write.ts';

export function readMerge(f: Fields, reading: Reading): Unresolved {
  const { name, alias } = readRelation(f.node('relation'));
  const source = readFrom(f.node('sourceRelation'), reading);
  if (source.kind === 'join') refuse('MERGE ... USING a join is not supported: write the join as a subquery with an alias');
  return {
    statement: {
      kind: 'merge',
      table: name,
      source,
      on: readExpression(f.node('joinCondition'), reading),
      branches: f.nodes('mergeWhenClauses').map((node) => readBranch(inside(node, 'MergeWhenClause'), reading)),
      ...readReturning(f, reading),
    },
    ...(alias !== undefined && { target: alias }),
  };
}

const WHEN: Readonly<Record<string, MergeBranch['when']>> = {
  MERGE_WHEN_MATCHED: 'matched',
  MERGE_WHEN_NOT_MATCHED_BY_TARGET: 'not matched',
  MERGE_WHEN_NOT_MATCHED_BY_SOURCE: 'not matched by source',
};

const ACTIONS: Readonly<Record<string, MergeBranch['action']>> = {
  CMD_UPDATE: 'update',
  CMD_INSERT: 'insert',
  CMD_DELETE: 'delete',
  CMD_NOTHING: 'nothing',
};

function readBranch(node: Node, reading: Reading): MergeBranch {
  return consume('MergeWhenClause', node, (f) => {
    f.expect('override', ['OVERRIDING_NOT_SET']);
    const when = WHEN[f.text('matchKind')] ?? refuse('this branch of MERGE is not supported');
    const action = ACTIONS[f.text('commandType')] ?? refuse('this action of MERGE is not supported');
    const own = { when, ...(f.has('condition') && { and: readExpression(f.node('condition'), reading) }), action };
    if (action === 'update') return { ...own, set: readSet(f.nodes('targetList'), reading) };
    if (action !== 'insert') return own;
    if (!f.has('values')) refuse('INSERT DEFAULT VALUES is not supported: list the columns, with DEFAULT as their value');
    const columns = f.nodes('targetList').map((each) => consume('ResTarget', inside(each, 'ResTarget'), (column) => column.text('name')));
    return { ...own, columns, values: f.nodes('values').map((value) => readExpression(value, reading)) };
  });
}
