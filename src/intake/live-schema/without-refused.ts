/**
 * A live schema as a file that runs as it is: what the importer refuses stands in comments, with the reason, in the place where it
 * was. Of a table only the lines of its columns and constraints that are refused, first their DEFAULT alone; of all else the
 * statement. What names something that is gone is refused then in its turn, so it is asked again until nothing is.
 */
import { InternalError, type Refusal } from '../../../core/index.ts';
import { LEFT_OUT } from './left-out.ts';

/** Lines that are left out or kept together. */
interface Part {
  readonly text: string;
  /** A column or constraint, among others. */
  readonly element: boolean;
  /** What is kept of it. */
  without: string | undefined;
  reasons: readonly string[];
  gone: boolean;
}

/** The lines of a file, statements with their semicolons. `refusals`: of such lines, by line, from 1. */
export async function withoutRefused(
  statements: readonly string[],
  refusals: (lines: readonly string[]) => Promise<readonly Refusal[]>,
): Promise<readonly string[]> {
  const parts = statements.map(partsOf);
  for (;;) {
    const { lines, owners } = written(parts);
    const refused = await refusals(lines);
    if (refused.length === 0) return lines;
    const changed = refused.filter(({ line, reason }) => leaveOut(owners[line - 1], reason));
    if (changed.length === 0) throw new InternalError(`what is refused is in no line of the schema: ${JSON.stringify(refused)}`);
  }
}

/** Servers give a column or constraint a line, with a comma behind it. */
function partsOf(sql: string): readonly Part[] {
  const part = (text: string, element: boolean): Part => ({ text, element, without: undefined, reasons: [], gone: false });
  const [first = '', ...rest] = sql.split('\n');
  const end = rest.findLastIndex((line) => line.startsWith(')'));
  if (!/^CREATE TABLE .*\($/.test(first) || end < 0) return [part(sql, false)];
  return [
    part(first, false),
    ...rest.slice(0, end).map((line) => part(line.replace(/,$/, ''), true)),
    part(rest.slice(end).join('\n'), false),
  ];
}

interface Owner {
  readonly statement: readonly Part[];
  readonly part: Part;
}

interface Written {
  readonly lines: readonly string[];
  /** Whose each of the lines is. */
  readonly owners: readonly Owner[];
}

function written(statements: readonly (readonly Part[])[]): Written {
  const lines: string[] = [];
  const owners: Owner[] = [];
  for (const statement of statements) {
    const kept = statement.filter(({ gone }) => !gone);
    const put = (text: string, part: Part): void => {
      const its = text.split('\n');
      lines.push(...its);
      owners.push(...its.map(() => ({ statement, part })));
    };
    for (const [i, part] of statement.entries()) {
      for (const reason of part.reasons) put(`${part.element ? '  ' : ''}${LEFT_OUT}${reason.replace(/\s+/g, ' ')}`, part);
      if (part.gone || part.without !== undefined) put(commented(part), part);
      if (part.gone) continue;
      const more = part.element && statement.slice(i + 1).some(({ element, gone }) => element && !gone);
      put(`${part.without ?? part.text}${more ? ',' : ''}${part === kept.at(-1) ? ';' : ''}`, part);
    }
  }
  return { lines, owners };
}

function commented({ text, element }: Part): string {
  return (
    text
      .split('\n')
      .map((line) => (element ? `  --   ${line.trim()}` : `--   ${line}`.trimEnd()))
      // No directive of a file, whatever a text of the statement holds.
      .map((line) => line.replace(/^(\s*--) {2}(\s*@)/, '$1 .$2'))
      .join('\n')
  );
}

/** False where nothing is left of it to leave out. */
function leaveOut(owner: Owner | undefined, reason: string): boolean {
  if (owner === undefined) return false;
  const { statement, part } = owner;
  const elements = statement.filter(({ element, gone }) => element && !gone);
  if (part.element && !part.gone) {
    const plainer = part.without === undefined ? withoutDefault(part) : undefined;
    if (plainer !== undefined || elements.length > 1) {
      tell(part, reason);
      part.without = plainer;
      part.gone = plainer === undefined;
      return true;
    }
  }
  // Of a statement the first line tells.
  const [first] = statement;
  if (first === undefined || first.gone) return false;
  tell(first, reason);
  for (const each of statement) each.gone = true;
  return true;
}

function tell(part: Part, reason: string): void {
  if (!part.reasons.includes(reason)) part.reasons = [...part.reasons, reason];
}

/** Of a column that has one; a type may have the word within quotes. */
function withoutDefault({ text }: Part): string | undefined {
  const bare = text.replace(/'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|"(?:[^"]|"")*"/g, (quoted) => 'x'.repeat(quoted.length));
  const at = bare.search(/(?<! BY) DEFAULT /);
  return at < 0 || /^\s*(CONSTRAINT|CHECK|FOREIGN|PRIMARY|UNIQUE|KEY)\b/.test(text) ? undefined : text.slice(0, at);
}
