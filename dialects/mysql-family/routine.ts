/**
 * The user's triggers and functions as statements. In a namespace that is used a trigger's body runs only where a session has
 * not said that it puts rows in place (Dialect.withoutTriggers): what triggers made of them is among the rows already, and the
 * family has no other word for that than to drop them. What a reader is given has none of it.
 */
import { InternalError } from '../../core/index.ts';
import type { Routine, RoutineText, SetupStatement } from '../../core/index.ts';
import { routineStatements } from '../routine-ddl.ts';
import { quoteName } from './quote.ts';

const OFF = '@iso_off';

export function routines(all: readonly Routine[] = [], namespace: string | undefined): readonly SetupStatement[] {
  const named = namespace === undefined ? all : all.map((each) => (each.kind === 'trigger' ? { ...each, text: guarded(each.text) } : each));
  return routineStatements(named, (name) => quoteName(name, { namespace }));
}

export function withoutTriggers(): { readonly off: readonly string[]; readonly on: readonly string[] } {
  return { off: [`SET ${OFF} = 1`], on: [`SET ${OFF} = NULL`] };
}

/** Behind the names of trigger and table (import/read-routine.ts). */
const HEAD = /^\s*FOR\s+EACH\s+ROW(?:\s+(?:FOLLOWS|PRECEDES)\s+(?:`(?:[^`]|``)*`|\S+))?\s+/i;

function guarded(text: RoutineText): RoutineText {
  const [create = '', name = '', on = '', table = '', behind, ...rest] = text;
  const head = typeof behind === 'string' ? HEAD.exec(behind)?.[0] : undefined;
  if (typeof behind !== 'string' || head === undefined) throw new InternalError(`no FOR EACH ROW in a trigger: ${JSON.stringify(text)}`);
  return [create, name, on, table, `${head}IF ${OFF} IS NULL THEN ${behind.slice(head.length)}`, ...rest, '; END IF'];
}
