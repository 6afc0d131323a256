/** Reads EXCLUDE USING gist (room WITH =, tsrange(starts_at, ends_at) WITH &&) WHERE (...). */
import type { ExclusionPart } from '../../../core/sql/index.ts';
import { refuse, type ExclusionDefinition } from '../../import/index.ts';
import { consume, inside, namesIn, type Fields, type Node } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';
import { rangeOf } from './read-range.ts';

export function readExclusion(f: Fields, reading: Reading): ExclusionDefinition {
  if (f.text('access_method') !== 'gist') refuse('an exclusion constraint is supported with USING gist only: write that');
  const parts = f.nodes('exclusions').map((node) => readPart(node, reading));
  const where = f.has('where_clause') ? readExpression(f.node('where_clause'), reading) : undefined;
  return { kind: 'exclusion', parts, ...(where && { where }) };
}

function readPart(node: Node, reading: Reading): ExclusionPart {
  const [element, operator] = consume('List', inside(node, 'List'), (list) => list.nodes('items'));
  const names = consume('List', inside(operator!, 'List'), (list) => namesIn(list.nodes('items')));
  return consume('IndexElem', inside(element!, 'IndexElem'), (f) => {
    f.expect('ordering', ['SORTBY_DEFAULT']);
    f.expect('nulls_ordering', ['SORTBY_NULLS_DEFAULT']);
    if (f.nodes('opclass').length > 0) refuse('an operator class in an exclusion constraint is not supported: leave it out');
    if (f.nodes('collation').length > 0) refuse('COLLATE in an exclusion constraint is not supported: leave it out');
    const sign = names.at(-1);
    if (sign === '=' && f.has('name')) return { meets: 'equal', column: f.text('name') };
    const range = f.has('expr') ? rangeOf(f.node('expr'), (each) => readExpression(each, reading)) : undefined;
    if (sign !== '&&' || range === undefined) return refuse(OTHERS);
    return { meets: 'overlapping', range };
  });
}

const OTHERS =
  'an exclusion constraint supports only columns WITH = and ranges of two ends WITH &&: store the ends as two columns, and write tsrange(starts_at, ends_at) WITH &&';
