/**
 * The explored findings that the corpus already has. A .spec of corpus/explored may name in its head the catalogue's
 * programs that show it, and the level and DBMS, one line each:
 *
 *     # Programs: {"dbms": "...", "level": "serializable", "skeletons": [...], "worlds": [...], "reads": [...], "someRead": [...], "writes": [...]}
 *
 * A finding of such programs is known: the report names it with the file, and counts it like any other.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InternalError } from '../../core/index.ts';
import type { KnownInCorpus, Level, Program } from '../../core/index.ts';
import { PACKAGE } from '../process/package-folder.ts';

export interface KnownPrograms {
  /** The path `corpus/explored/...`. */
  readonly file: string;
  /** The name of a dialect. */
  readonly dbms: string;
  readonly level: Level;
  /** Absent: any. */
  readonly skeletons?: readonly string[];
  readonly worlds?: readonly string[];
  /** Every read, or write, of the program is one of these. Absent: any. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** At least one of its reads is one of these. */
  readonly someRead?: readonly string[];
  /** The changes of tables. Absent: the program has none. */
  readonly changes?: readonly string[];
}

const FOLDER = 'corpus/explored';
const HEAD = /^# Programs: (.*)$/gm;

export function knownPrograms(): readonly KnownPrograms[] {
  const folder = PACKAGE && join(PACKAGE.folder, FOLDER);
  if (folder === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.spec'))
    .toSorted()
    .flatMap((name) =>
      [...readFileSync(join(folder, name), 'utf8').matchAll(HEAD)].map(([, head]) => ({
        file: `${FOLDER}/${name}`,
        ...parsed(head!, name),
      })),
    );
}

function parsed(head: string, name: string): Omit<KnownPrograms, 'file'> {
  try {
    return JSON.parse(head) as Omit<KnownPrograms, 'file'>;
  } catch (error) {
    throw new InternalError(`${FOLDER}/${name}: what stands behind "Programs:" is no JSON (${(error as Error).message})`);
  }
}

/** Returns the case that most of these programs are, if any. Among equals, a case that names reads comes first. */
export function knownAs(
  programs: readonly Pick<Program, 'made'>[],
  { dbms, level }: Pick<KnownPrograms, 'dbms' | 'level'>,
  known: readonly KnownPrograms[],
): KnownInCorpus | undefined {
  return known
    .filter((each) => each.dbms === dbms && each.level === level)
    .map((each) => ({ each, programs: programs.filter(({ made }) => isMadeSo(made, each)).length }))
    .filter((one) => one.programs > 0)
    .toSorted((a, b) => b.programs - a.programs || Number(saysReads(b.each)) - Number(saysReads(a.each)))
    .map((one) => ({ file: one.each.file, programs: one.programs }))[0];
}

function saysReads({ reads, someRead }: KnownPrograms): boolean {
  return (reads ?? someRead) !== undefined;
}

function isMadeSo(made: Program['made'], { skeletons, worlds, reads, writes, someRead, changes }: KnownPrograms): boolean {
  const all = (kind: string, names: readonly string[] | undefined): boolean =>
    Object.entries(made).every(([slot, form]) => !slot.startsWith(kind) || names === undefined || names.includes(form));
  const some = Object.entries(made).some(([slot, form]) => slot.startsWith('reads') && someRead?.includes(form) === true);
  return (
    (some || someRead === undefined) &&
    (made['change'] === undefined ? changes === undefined : changes?.includes(made['change']) === true) &&
    made['skeleton'] !== undefined &&
    all('skeleton', skeletons) &&
    all('world', worlds) &&
    all('reads', reads) &&
    all('writes', writes)
  );
}
