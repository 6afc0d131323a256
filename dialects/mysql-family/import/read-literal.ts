/** Reads literals with their own types. The operand beside one may give it another type (resolve.ts). */
import type { Expression } from '../../../core/sql/index.ts';
import { fromText } from '../../import/index.ts';
import type { Reading } from './reading.ts';

const LARGEST_INT = 2147483647n;
const LARGEST_BIGINT = 9223372036854775807n;

export function readLiteral({ cursor }: Reading, negative: boolean): Expression | undefined {
  const { token } = cursor;
  if (token.kind === 'number') {
    cursor.take();
    return numberOf(`${negative ? '-' : ''}${token.text}`);
  }
  if (token.kind === 'string') {
    cursor.take();
    if (cursor.token.kind === 'string') cursor.refuse('two adjacent strings are not supported, which MySQL concatenates: write one');
    return { kind: 'literal', type: 'text', value: token.text };
  }
  if (cursor.accept('TRUE')) return { kind: 'literal', type: 'boolean', value: true };
  if (cursor.accept('FALSE')) return { kind: 'literal', type: 'boolean', value: false };
  if (cursor.sees('INTERVAL'))
    cursor.refuse('INTERVAL is not a value of its own: add it to a timestamp, or subtract it from one, as in :from + INTERVAL 2 HOUR');
  return moment(cursor, 'DATE', 'date') ?? moment(cursor, 'TIMESTAMP', 'timestamp');
}

function moment(cursor: Reading['cursor'], word: string, type: 'date' | 'timestamp'): Expression | undefined {
  if (!cursor.sees(word) || !cursor.stringFollows()) return undefined;
  cursor.take();
  return { kind: 'literal', type, value: fromText(cursor.take().text, type) };
}

/** The number of digits decides the type, as on the server. */
function numberOf(text: string): Expression {
  if (text.includes('.')) return { kind: 'literal', type: 'decimal', value: text };
  const value = BigInt(text);
  const size = value < 0n ? -value - 1n : value;
  if (size <= LARGEST_INT) return { kind: 'literal', type: 'integer', value: Number(value) };
  return { kind: 'literal', type: size <= LARGEST_BIGINT ? 'bigint' : 'decimal', value: String(value) };
}
