/** Returns the statements of a transaction as they were sent, with the values that it had read in place of names. */
import { bindAnswer, withBindings } from '../../core/index.ts';
import type { Dialect, ProgramTxn, Bindings } from '../../core/index.ts';
import { textWithBindings } from '../../schema-gen/index.ts';
import type { Reply } from './arena.ts';

/** Returns the text of each step, and of its end last. `replies`: the replies to its steps, in their order. */
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
