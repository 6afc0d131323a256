/**
 * What the corpus holds of explorations already. A .spec of corpus/explored may say in its head which programs of the catalogue
 * show it, at which level of which DBMS, a line each:
 *
 *     # Programs: {"dbms": "...", "level": "serializable", "skeletons": [...], "worlds": [...], "reads": [...], "someRead": [...], "writes": [...]}
 *
 * A finding of such programs is known: it is named with the file, and counts like any other.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { InternalError } from '../../core/index.ts';
import type { KnownInCorpus, Level, Program } from '../../core/index.ts';
import { PACKAGE } from '../process/package-folder.ts';

export interface KnownPrograms {
  /** `corpus/explored/...` */
  readonly file: string;
  /** A dialect's name. */
  readonly dbms: string;
  readonly level: Level;
  /** Absent: any. */
  readonly skeletons?: readonly string[];
  readonly worlds?: readonly string[];
  /** All that reads or writes in the program is one of these. Absent: whatever it is. */
  readonly reads?: readonly string[];
  readonly writes?: readonly string[];
  /** One of its reads at least is one of these. */
  readonly someRead?: readonly string[];
  /** How a table is changed. Absent: none is. */
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

/** The case that most of these programs are, if any is one; of equals one that says how they read. */
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
