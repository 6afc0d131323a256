/**
 * A file of test/samples/ whose every statement is carried over as something else, passed over or refused: what the importer of
 * a DBMS says of each of its lines, and the same file with each refused statement replaced by what its cure asks for.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dialect } from '../../../../core/dialect/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';

export interface Said {
  readonly line: number;
  readonly what: string;
  readonly refused: boolean;
}

const CURE = /^-- instead: (.*)$/;

export function refusedFile(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../samples/${name}.sql`, import.meta.url)), 'utf8');
}

export async function saidOf(text: string, dialect: Dialect): Promise<readonly Said[]> {
  const parsed = parseWorkloadFile(text);
  const { templates, refused } = importWorkload(parsed.file, await dialect.importer!(dialect.capabilities));
  return [
    ...templates.approximated.map(({ line, what }) => ({ line, what, refused: false })),
    ...[...parsed.refused, ...refused].map(({ line, reason }) => ({ line, what: reason, refused: true })),
  ].sort((a, b) => a.line - b.line);
}

/** How many cures there are, and the file with them; every line keeps its number. */
export function cured(text: string, said: readonly Said[]): { readonly text: string; readonly cures: number } {
  const lines = text.split('\n');
  const bad = new Set(said.filter(({ refused }) => refused).map(({ line }) => line - 1));
  for (const start of statementsOf(lines)) {
    const end = lines.findIndex((line, i) => i >= start && line.endsWith(';'));
    if (![...bad].some((line) => line >= start && line <= end)) continue;
    for (let i = start; i <= end; i++) lines[i] = '';
  }
  const cures = lines.filter((line) => CURE.test(line)).length;
  return { text: lines.map((line) => line.replace(CURE, '$1')).join('\n'), cures };
}

/** The first line of each. */
function statementsOf(lines: readonly string[]): readonly number[] {
  return lines.flatMap((line, i) => (/^[A-Z(]/.test(line) ? [i] : []));
}

/** A table for each part of the file, as docs/CARRIED-OVER.md has them. */
export function tablesOf(text: string, said: readonly Said[]): string {
  const lines = text.split('\n');
  const out: string[] = [];
  let passedOver = false;
  lines.forEach((line, i) => {
    const title = /^-- ## (.*)$/.exec(line)?.[1];
    if (title !== undefined) out.push('', `### ${title}`, '', '| line | written | said | taken instead |', '|---:|---|---|---|');
    if (title !== undefined) passedOver = title === 'Passed over';
    const own = said.filter((each) => each.line === i + 1);
    if (own.length === 0 && passedOver && /^[A-Z]/.test(line))
      out.push(`| ${i + 1} | ${code(line.replace(/;$/, ''))} | nothing: it changes no row | |`);
    own.forEach(({ what }, n) =>
      out.push(
        `| ${i + 1} | ${n === 0 ? code(line.trim().replace(/[,;]$/, '')) : ''} | ${cell(what)} | ${n === 0 ? cureOf(lines, i) : ''} |`,
      ),
    );
  });
  return out.join('\n').trim();
}

/** On the line behind the statement. */
function cureOf(lines: readonly string[], line: number): string {
  const end = lines.findIndex((each, i) => i >= line && each.endsWith(';'));
  const cure = CURE.exec(lines[end + 1] ?? '')?.[1];
  return cure === undefined || (end > line && lines[end]!.startsWith(')')) ? '' : code(cure.replace(/;$/, ''));
}

function code(text: string): string {
  return `\`${cell(text)}\``.replace(/^`(.*`.*)`$/, '`` $1 ``');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
