/** A table says which statements an importer reads. It has a row for each kind, so a new kind does not compile without one. */
import { InternalError } from '../../core/base/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';

/**
 * `read`: every server of the family has it. `not read`: the reader makes none. A function refuses what the server
 * lacks.
 */
export type Support = {
  readonly [K in Statement['kind']]:
    'read' | 'not read' | ((statement: Extract<Statement, { readonly kind: K }>, title: string, able: Capabilities) => void);
};

/** Throws Refused if the server lacks the statement. */
export function refuseLacking(support: Support, statement: Statement, title: string, able: Capabilities): void {
  const check = support[statement.kind] as 'read' | 'not read' | ((statement: Statement, title: string, able: Capabilities) => void);
  if (check === 'not read') throw new InternalError(`the importer of ${title} read a ${statement.kind}, which its table calls not read`);
  if (check !== 'read') check(statement, title, able);
}
