/** The statements of a transaction as they were sent: with what it had read by then in the place of names. */
import { bindAnswer, withBindings } from '../../core/index.ts';
import type { Dialect, ProgramTxn, Bindings } from '../../core/index.ts';
import { textWithBindings } from '../../schema-gen/index.ts';
import type { Reply } from './arena.ts';

/** Of each step, and last of its end. `replies`: those of its steps, in their order. */
export function stepTexts({ steps, end }: ProgramTxn, replies: readonly Reply[], dialect: Dialect): readonly string[] {
  let bindings: Bindings = new Map();
  const texts = steps.map(({ statement, written }, n) => {
    const text = written === undefined ? dialect.print(withBindings(statement, bindings)) : textWithBindings(written, statement, bindings);
    const reply = replies[n];
    if (reply !== undefined && reply.error === undefined) bindings = bindAnswer(bindings, statement, reply.rows, reply.affected);
    return text;
  });
  const stop = replies.find(({ stops }) => stops !== undefined)?.stops;
  return [...texts, (stop ?? end).toUpperCase()];
}
