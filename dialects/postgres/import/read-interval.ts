/**
 * Reads an interval beside + or -: `interval '2 hours'`, `interval '90' minute`, `'1 day 02:30'::interval`. It becomes
 * seconds. Months and years are refused, since they have no fixed length, and so is an interval that is no constant.
 */
import { secondsOf } from '../../../core/sql/index.ts';
import { refuse } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Node } from './fields.ts';

/** The length in seconds. Undefined: the node is no interval. Throws Refused if the interval has no length in seconds. */
export function intervalOf(node: Node): number | undefined {
  const [kind, inner] = kindOf(node);
  if (kind !== 'TypeCast') return undefined;
  const type = inner['typeName'] as Node;
  if (namesIn((type['names'] ?? []) as readonly Node[]).at(-1) !== 'interval') return undefined;
  return consume(kind, inner, (f) => {
    const unit = consume('TypeName', f.node('typeName'), (t) => {
      t.nodes('names');
      t.expect('typemod', [-1]);
      return t.nodes('typmods').map(fieldOf)[0];
    });
    const [constant, value] = kindOf(f.node('arg'));
    const text = constant === 'A_Const' ? textOf(value) : undefined;
    return text === undefined ? refuse(NO_CONSTANT) : secondsIn(text, unit);
  });
}

const NO_CONSTANT =
  'an interval that is no constant is not supported: draw the later timestamp as a parameter, -- @parameter :to :from + 1..3 hours';

/** The parser's bits for a single field of an interval. */
const FIELDS: Readonly<Record<number, string>> = { 8: 'day', 1024: 'hour', 2048: 'minute', 4096: 'second' };

function fieldOf(node: Node): string {
  const number = consume('A_Const', inside(node, 'A_Const'), (f) => consume('Integer', f.node('ival'), (i) => i.number('ival')));
  return (
    FIELDS[number] ?? refuse('an interval of several fields, or of months, is not supported: write it in days, hours, minutes or seconds')
  );
}

function textOf(constant: Node): string | undefined {
  return consume('A_Const', constant, (f) => (f.has('sval') ? consume('String', f.node('sval'), (s) => s.text('sval')) : undefined));
}

const PART = /^\s*([+-]?\d+)\s*([a-z]+)|^\s*([+-]?)(\d{1,3}):(\d\d)(?::(\d\d))?/i;

function secondsIn(text: string, unit: string | undefined): number {
  if (unit !== undefined && /^\s*[+-]?\d+\s*$/.test(text)) return Number(text) * secondsOf(unit)!;
  let [left, seconds] = [text, 0];
  for (let part = PART.exec(left); part !== null; part = PART.exec(left)) {
    const [all, amount, word, sign, hours, minutes, rest = '0'] = part;
    seconds +=
      word === undefined
        ? (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(rest))
        : Number(amount) * (secondsOf(word) ?? refuse(`the interval '${text}' is not supported: ${word} has no one length; ${EXPECTED}`));
    left = left.slice(all.length);
  }
  return left.trim() === '' && text.trim() !== '' ? seconds : refuse(`the interval '${text}' is not supported: ${EXPECTED}`);
}

const EXPECTED = "expected whole weeks, days, hours, minutes and seconds, such as '2 hours' or '1 day 02:30'";
