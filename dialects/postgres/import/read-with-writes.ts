/** Reads a WITH with data-modifying statements. Its parts are split off, and the statement is then read without it. */
import { isQuery, isWrite, type Statement, type WriteStatement } from '../../../core/sql/index.ts';
import { refuse, type Unresolved } from '../../import/index.ts';
import { consume, inside, kindOf, type Node } from './fields.ts';

interface Part {
  readonly name: string;
  readonly kind: string;
  readonly node: Node;
}

/** Undefined: no part of the WITH writes. `read` reads a statement of a given kind. */
export function readWithWrites(
  kind: string,
  node: Node,
  read: (kind: string, node: Node) => Unresolved,
): (Unresolved & { readonly targets: readonly (string | undefined)[] }) | undefined {
  const { withClause, ...bare } = node;
  if (withClause === undefined) return undefined;
  const { ctes = [] } = withClause as { readonly ctes?: readonly Node[] };
  if (ctes.every((cte) => kindOf(inside(cte, 'CommonTableExpr')['ctequery'] as Node)[0] === 'SelectStmt')) return undefined;
  const parts = consume('WithClause', withClause as Node, (f) => {
    f.expect('recursive', [false]);
    return f.nodes('ctes').map((cte) => readPart(inside(cte, 'CommonTableExpr')));
  });
  if (kind === 'MergeStmt') refuse('MERGE behind a WITH that writes is not supported: make each a statement of its own');
  const last = read(kind, bare);
  const written = parts.map(({ name, kind: own, node: part }) => ({ name, ...read(own, part) }));
  return {
    statement: {
      kind: 'withWrites',
      writes: written.map(({ name, statement }) => ({ name, write: asWrite(statement) })),
      last: isQuery(last.statement) ? last.statement : asWrite(last.statement),
    },
    targets: [...written.map(({ target }) => target), last.target],
  };
}

function asWrite(statement: Statement): WriteStatement {
  return isWrite(statement) ? statement : refuse(`WITH in front of a ${statement.kind} is not supported`);
}

function readPart(node: Node): Part {
  return consume('CommonTableExpr', node, (f) => {
    const name = f.text('ctename');
    f.expect('ctematerialized', ['CTEMaterializeDefault']);
    const [kind, inner] = kindOf(f.node('ctequery'));
    if (kind === 'SelectStmt')
      refuse(`WITH ${name}: a query in the WITH of which another part writes is not supported; write it as a subquery`);
    if (kind === 'MergeStmt') refuse(`WITH ${name}: MERGE in a WITH is not supported; make it a statement of its own`);
    return { name, kind, node: inner };
  });
}
