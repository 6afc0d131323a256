/** Resolves a write of any kind, and a WITH whose parts write. Each part offers its returned rows to the parts behind it. */
import { isQuery } from '../../core/sql/index.ts';
import type { Statement, WithWrites, WriteStatement, WrittenCte } from '../../core/sql/index.ts';
import { refuse, refuseReserved } from './refuse.ts';
import type { Context } from './resolve-expression.ts';
import { resolveMerge } from './resolve-merge.ts';
import { claimApart, resolveQuery } from './resolve-query.ts';
import { resolveDelete, resolveInsert, resolveUpdate, type ResolvedWrite } from './resolve-write.ts';
import { NOTHING, type CommonTable, type Scope } from './scope.ts';

export function resolveWrite(
  write: WriteStatement,
  target: string | undefined,
  around: Scope,
  context: Context,
): ResolvedWrite<WriteStatement> {
  if (write.kind === 'insert') return resolveInsert(write, target, around, context);
  if (write.kind === 'update') return resolveUpdate(write, target, around, context);
  return write.kind === 'delete' ? resolveDelete(write, target, around, context) : resolveMerge(write, target, around, context);
}

/** `targets`: the alias of each part's table, and that of the statement behind them. */
export function resolveWithWrites({ writes, last }: WithWrites, targets: readonly (string | undefined)[], context: Context): Statement {
  const commonTables: CommonTable[] = [];
  // The parts and the statement do not see one another, so they may use the same aliases.
  const apart = (): Context => ({ ...context, taken: new Set() });
  const around = (): Scope => ({ ...NOTHING, commonTables: [...commonTables] });
  const parts = writes.map(({ name: written, write }, i): WrittenCte => {
    refuseReserved(written, 'WITH');
    if (commonTables.some((each) => context.same(each.written, written))) refuse(`WITH names ${written} twice`);
    const name = claimApart(written, context);
    const { statement, fields } = resolveWrite(write, targets[i], around(), apart());
    refuseWithin(statement);
    commonTables.push({ written, name, fields });
    return { name, write: statement };
  });
  if (isQuery(last)) return { kind: 'withWrites', writes: parts, last: resolveQuery(last, around(), apart()).query };
  const { statement } = resolveWrite(last, targets[writes.length], around(), apart());
  refuseWithin(statement);
  return { kind: 'withWrites', writes: parts, last: statement };
}

/** Refuses writes whose reads the tool cannot follow inside a WITH that writes. */
function refuseWithin(write: WriteStatement): void {
  if (write.kind === 'update' && write.through !== undefined)
    refuse(`UPDATE of the view ${write.through} in a WITH that writes is not supported: name the table behind it`);
  if (write.kind === 'insert' && write.conflict !== undefined)
    refuse('ON CONFLICT in a WITH that writes is not supported: make the INSERT a statement of its own');
}
