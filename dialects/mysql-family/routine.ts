/**
 * The user's triggers and functions as statements. When rows are restored, triggers must not run
 * (Dialect.withoutTriggers), since the rows already hold what triggers wrote. The family has no other way to disable a
 * trigger than to drop it. So in a namespace its body runs only if the session has not set a variable. Texts for people
 * have no such condition.
 */
import { InternalError } from '../../core/base/index.ts';
import type { Routine, RoutineText } from '../../core/sql/index.ts';
import type { SetupStatement } from '../../core/dialect/index.ts';
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

/** The text after the names of trigger and table (import/read-routine.ts). */
const HEAD = /^\s*FOR\s+EACH\s+ROW(?:\s+(?:FOLLOWS|PRECEDES)\s+(?:`(?:[^`]|``)*`|\S+))?\s+/i;

function guarded(text: RoutineText): RoutineText {
  const [create = '', name = '', on = '', table = '', behind, ...rest] = text;
  const head = typeof behind === 'string' ? HEAD.exec(behind)?.[0] : undefined;
  if (typeof behind !== 'string' || head === undefined) throw new InternalError(`no FOR EACH ROW in a trigger: ${JSON.stringify(text)}`);
  return [create, name, on, table, `${head}IF ${OFF} IS NULL THEN ${behind.slice(head.length)}`, ...rest, '; END IF'];
}
