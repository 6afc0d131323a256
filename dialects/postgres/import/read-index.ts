/**
 * Reads CREATE INDEX: its keys and its WHERE. Options that change no statement's outcome are left out, and the report
 * says so.
 */
import { refuse, type Definition, type Faults, type KeyPart } from '../../import/index.ts';
import { consume, inside, namesIn, type Fields, type Node } from './fields.ts';
import type { Defining } from './defining.ts';
import { readExpression } from './read-expression.ts';
import { readRelation } from './read-query.ts';

const METHODS: Readonly<Record<string, 'btree' | 'hash' | 'brin'>> = { '': 'btree', btree: 'btree', hash: 'hash', brin: 'brin' };

export function readIndex(f: Fields, { reading, faults }: Defining): readonly Definition[] {
  const { name: table } = readRelation({ ...f.node('relation'), inh: true });
  const method = f.text('accessMethod');
  const using = METHODS[method];
  f.flag('if_not_exists');
  f.flag('concurrent');
  const name = f.text('idxname');
  if (f.nodes('indexIncludingParams').length > 0) faults.approximate('INCLUDE of an index is left out: it is no part of the key');
  const keys = f.nodes('indexParams').map((node) => readPart(node, reading, faults));
  const where = f.has('whereClause') ? readExpression(f.node('whereClause'), reading) : undefined;
  const unique = f.flag('unique');
  if (using === undefined) {
    faults.approximate(`the index ${name || 'without a name'} is left out: it is one of ${method}, which no supported statement uses`);
    return [];
  }
  const index = { ...(name !== '' && { name }), keys, unique, ...(where && { where }), ...(using !== 'btree' && { using }) };
  return [{ kind: 'index', table, index }];
}

function readPart(node: Node, reading: Defining['reading'], faults: Faults): KeyPart {
  return consume('IndexElem', inside(node, 'IndexElem'), (f) => {
    const descending = f.text('ordering') === 'SORTBY_DESC';
    if (!['', 'SORTBY_NULLS_DEFAULT'].includes(f.text('nulls_ordering')))
      faults.approximate('NULLS FIRST and LAST of an index are left out');
    if (namesIn(f.nodes('opclass')).length > 0)
      faults.approximate('the operator class of an index is left out: it compares as the type does');
    if (f.nodes('collation').length > 0) refuse('COLLATE in an index is not supported: leave it out');
    if (f.has('expr')) return { expression: readExpression(f.node('expr'), reading) };
    return { column: f.text('name'), ...(descending && { descending }) };
  });
}
