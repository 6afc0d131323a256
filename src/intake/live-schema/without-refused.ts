/**
 * Makes a live schema a file that runs: parts that the importer refuses become comments with the reason, in their place.
 * In a table, only the refused lines of columns and constraints are omitted, at first only their DEFAULT. Elsewhere the
 * whole statement is. A part that names an omitted one is then refused in its turn, so the importer is asked until it
 * refuses nothing.
 */
import { InternalError } from '../../../core/base/index.ts';
import type { Refusal } from '../../../core/dialect/index.ts';
import { LEFT_OUT } from './left-out.ts';

/** Lines that are omitted or kept together. */
interface Part {
  readonly text: string;
  /** The part is a column or constraint, among others. */
  readonly element: boolean;
  /** The kept rest of the part. */
  without: string | undefined;
  reasons: readonly string[];
  gone: boolean;
}

/** The lines of a file: statements with their semicolons. `refusals`: returns the refusals of lines, by line number from 1. */
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

/** Servers print one line for each column or constraint, with a comma after it. */
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
  /** The owner of each line. */
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
      // A line must not become a directive, whatever text the statement holds.
      .map((line) => line.replace(/^(\s*--) {2}(\s*@)/, '$1 .$2'))
      .join('\n')
  );
}

/** Returns false if nothing of it is left to omit. */
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
  // For a whole statement, its first line has the reason.
  const [first] = statement;
  if (first === undefined || first.gone) return false;
  tell(first, reason);
  for (const each of statement) each.gone = true;
  return true;
}

function tell(part: Part, reason: string): void {
  if (!part.reasons.includes(reason)) part.reasons = [...part.reasons, reason];
}

/** Returns a column without its DEFAULT, if it has one. A type may have the word within quotes. */
function withoutDefault({ text }: Part): string | undefined {
  const bare = text.replace(/'(?:[^'\\]|\\.|'')*'|`(?:[^`]|``)*`|"(?:[^"]|"")*"/g, (quoted) => 'x'.repeat(quoted.length));
  const at = bare.search(/(?<! BY) DEFAULT /);
  return at < 0 || /^\s*(CONSTRAINT|CHECK|FOREIGN|PRIMARY|UNIQUE|KEY)\b/.test(text) ? undefined : text.slice(0, at);
}
