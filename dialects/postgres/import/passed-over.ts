/** Statements of dumps that have no effect on a schema that is created anew. */
import { rowOf } from '../../import/index.ts';
import { kindOf, namesIn, type Node } from './fields.ts';

/** The report's sentence about an ignored statement. Empty: no report is needed. Undefined: the statement is not ignored. */
export function passedOver(kind: string, inner: Node): string | undefined {
  const call = kind === 'SelectStmt' ? onlyCall(inner) : undefined;
  return call === undefined ? rowOf(STATEMENTS, kind) : rowOf(CALLS, call);
}

const ANEW = 'is ignored: the tool creates a schema of its own';
const NUMBERS =
  'is ignored: a column that takes numbers from it is numbered by the server, from 1, or from the number after its initial rows';

const STATEMENTS: Readonly<Record<string, string>> = {
  CommentStmt: '',
  VariableSetStmt: `SET ${ANEW}`,
  DropStmt: `DROP ${ANEW}`,
  CreateExtensionStmt: `CREATE EXTENSION ${ANEW}`,
  CreateSchemaStmt: 'CREATE SCHEMA is ignored: the tool creates a schema of its own',
  AlterOwnerStmt: 'OWNER TO is ignored: the tool runs everything as one user',
  GrantStmt: 'GRANT and REVOKE are ignored: the tool runs everything as one user',
  GrantRoleStmt: 'GRANT and REVOKE are ignored: the tool runs everything as one user',
  AlterDefaultPrivilegesStmt: 'GRANT and REVOKE are ignored: the tool runs everything as one user',
  CreateSeqStmt: `CREATE SEQUENCE ${NUMBERS}`,
  AlterSeqStmt: `ALTER SEQUENCE ${NUMBERS}`,
};

const CALLS: Readonly<Record<string, string>> = { set_config: `set_config() ${ANEW}`, setval: `setval() ${NUMBERS}` };

/** The function of a SELECT that consists of one call only. */
function onlyCall({ targetList, fromClause, whereClause }: Node): string | undefined {
  const [target, another] = (targetList ?? []) as readonly Node[];
  if (target === undefined || another !== undefined || (fromClause ?? whereClause) !== undefined) return undefined;
  const value = kindOf(target)[1]['val'] as Node | undefined;
  if (value === undefined) return undefined;
  const [kind, call] = kindOf(value);
  return kind === 'FuncCall' ? namesIn(call['funcname'] as readonly Node[]).at(-1) : undefined;
}
