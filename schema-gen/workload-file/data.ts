/**
 * The data section of a workload file. Each INSERT occurs as often as its `@for` says, with the counters and drawn
 * parameters written into it as literals. The rows depend on the file, not on a seed: every round of every run begins
 * with them.
 */
import type { BoundValue, Refusal, SqlText, TypeKind, Value } from '../../core/index.ts';
import { createRandom } from '../prng.ts';
import { resolveParameter } from './parameter.ts';
import type { Parameter, ParameterSpec } from './parameter.ts';
import { parametersIn } from './text.ts';

/** One statement of the data section, with the parameters and counters for its copies. */
export interface DataText {
  readonly text: SqlText;
  readonly loops: readonly { readonly name: string; readonly from: number; readonly to: number }[];
  readonly parameters: readonly ParameterSpec[];
}

const MOST_ROWS = 20_000;

export interface ExpandedData {
  readonly texts: readonly SqlText[];
  /** The number of values that `unique` has given. A round continues after them. */
  readonly uniques: number;
  readonly refused: readonly Refusal[];
}

export function expandData(data: readonly DataText[]): ExpandedData {
  const texts: SqlText[] = [];
  const refused: Refusal[] = [];
  const random = createRandom('the data of a workload file');
  let uniques = 0;
  for (const [n, { text, loops, parameters: specs }] of data.entries()) {
    const known = new Map<string, Parameter>(loops.map(({ name }) => [name, counter(name)]));
    let fine = true;
    const refuse = (line: number, reason: string): void => {
      refused.push({ line, reason });
      fine = false;
    };
    for (const spec of specs) {
      const parameter = resolveParameter(spec, undefined, known);
      if (typeof parameter === 'string') refuse(spec.line, parameter);
      else if (known.has(spec.name)) refuse(spec.line, `there is a parameter :${spec.name} already; expected another name`);
      else known.set(spec.name, parameter);
    }
    const places = parametersIn(text.sql);
    for (const { name } of places)
      if (!known.has(name)) refuse(text.line, `there is no parameter :${name}; expected a @for or @parameter above the statement`);
    const times = loops.reduce((product, { from, to }) => product * Math.max(0, to - from + 1), 1);
    if (texts.length + times > MOST_ROWS)
      refuse(
        text.line,
        `the data section would have more than ${MOST_ROWS} statements; expected fewer: lower the ranges of @for or --scale`,
      );
    if (!fine) continue;
    const stream = random.fork(String(n));
    for (let time = 0; time < times; time++) {
      const drawn = new Map<string, BoundValue>();
      let rest = time;
      for (const { name, from, to } of [...loops].reverse()) {
        drawn.set(name, { type: 'integer', value: from + (rest % (to - from + 1)) });
        rest = Math.floor(rest / (to - from + 1));
      }
      for (const { name } of specs) {
        const parameter = known.get(name)!;
        drawn.set(name, { type: parameter.type, value: parameter.draw(stream, drawn, () => uniques++) });
      }
      let sql = '';
      let at = 0;
      for (const { name, start, end } of places) {
        const { type, value } = drawn.get(name)!;
        sql += text.sql.slice(at, start) + sqlLiteral(type, value);
        at = end;
      }
      texts.push({ sql: sql + text.sql.slice(at), line: text.line });
    }
  }
  return { texts, uniques, refused };
}

function counter(name: string): Parameter {
  return { name, type: 'integer', draw: () => 0 };
}

/** Writes a value as every DBMS reads it. No drawn text holds a backslash. */
function sqlLiteral(type: TypeKind, value: Value): string {
  if (value === null) return 'NULL';
  return typeof value === 'string' && type !== 'decimal' && type !== 'bigint'
    ? `'${value.replaceAll("'", "''")}'`
    : String(value).toUpperCase();
}
