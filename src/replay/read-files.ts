/**
 * Reads the files that `replay` takes: a finding-<n>.json of a run or an exploration, a case of the corpus, an
 * isolationtester .spec, or a folder of them. A file of another kind is refused with a message, in a folder too, so that
 * a corpus never shrinks unnoticed.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { UsageError } from '../../core/base/index.ts';
import { isAnomaly } from '../../core/verdict/index.ts';
import type { Judgement, PromiseVerdict } from '../../core/level/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { AnomalyFinding, Finding, ProgramFinding } from '../../core/verdict/index.ts';
import { withCases } from '../judge/findings/cases.ts';
import { parseSpec } from './spec/parse-spec.ts';
import type { Spec } from './spec/parse-spec.ts';

/** An `anomalist-case` file holds a case, and the classes and shapes to look for. */
export interface CorpusCase {
  readonly name: string;
  readonly title: string;
  readonly source: string;
  readonly looksFor: { readonly classes: readonly string[]; readonly shapes: readonly string[] };
  readonly testCase: TestCase;
}

export type ReplayFile = { readonly path: string } & (
  | { readonly kind: 'finding'; readonly finding: AnomalyFinding }
  | { readonly kind: 'program'; readonly finding: ProgramFinding }
  | { readonly kind: 'case'; readonly case: CorpusCase }
  | { readonly kind: 'spec'; readonly spec: Spec }
);

const CASE_FORMAT = 'anomalist-case';
const EXPECTED = 'a finding-<n>.json of a run, an anomalist-case file, an isolationtester .spec, or a folder of these';

export function readReplayFiles(path: string): { readonly files: readonly ReplayFile[]; readonly folder: boolean } {
  let folder: boolean;
  try {
    folder = statSync(path).isDirectory();
  } catch {
    throw new UsageError(`${path}: there is no such file; expected ${EXPECTED}.`);
  }
  if (!folder) return { files: [readReplayFile(path)], folder };
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(json|spec)$/.test(name) && !NOT_CASES.has(basename(name)) && !/^finding-\d+\.repro\.spec$/.test(name),
  );
  if (names.length === 0) throw new UsageError(`${path}: the folder holds no case; expected ${EXPECTED}.`);
  return { files: names.sort(new Intl.Collator('en', { numeric: true }).compare).map((name) => readReplayFile(join(path, name))), folder };
}

/** The other files of a run's folder are not replayed. */
const NOT_CASES: ReadonlySet<string> = new Set([
  'findings.json',
  'manifest.json',
  'run.json',
  'matrix.json',
  'explore.json',
  'outcomes.json',
]);

function readReplayFile(path: string): ReplayFile {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.spec')) return { path, kind: 'spec', spec: parseSpec(text, path) };
  let value: { format?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    throw new UsageError(`${path}: no JSON (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
  }
  return replayFileOf(path, value);
}

/** Reads the content of a JSON file. Messages name `path`. */
export function replayFileOf(path: string, value: { readonly format?: unknown } | null): ReplayFile {
  if (value?.format === CASE_FORMAT && 'testCase' in value) return { path, kind: 'case', case: value as unknown as CorpusCase };
  if (value?.format === 'anomalist-finding') {
    const finding = findingOf(path, value);
    if (!isAnomaly(finding)) {
      if (finding.family.example.case === undefined)
        throw new UsageError(`${path}: the finding holds no case to replay (it was written by an older version); expected ${EXPECTED}.`);
      return { path, kind: 'program', finding };
    }
    if (finding.observed === undefined && finding.reproduction === undefined)
      throw new UsageError(`${path}: the finding holds no case to replay (it was written by an older version); expected ${EXPECTED}.`);
    return { path, kind: 'finding', finding };
  }
  throw new UsageError(`${path}: got format ${JSON.stringify(value?.format ?? null)}; expected ${EXPECTED}.`);
}

/** Returns the finding of a file in that format, with or without its case. */
export function findingOf(path: string, value: object): Finding {
  const { verdict, promise: row } = value as { verdict?: PromiseVerdict; promise?: Judgement['row'] | null };
  const judgement = { verdict, ...(row && { row }) } as Judgement;
  // Until 28 November 2026 only anomalies had files, and these had no kind.
  const finding = { kind: 'anomaly', ...value } as Finding;
  return isAnomaly(finding) ? { ...withCasesOf(path, finding), judgement } : { ...finding, judgement };
}

function withCasesOf(path: string, finding: AnomalyFinding): AnomalyFinding {
  try {
    return withCases(finding);
  } catch (error) {
    throw new UsageError(`${path}: the cases of the finding cannot be unpacked (${(error as Error).message}); expected ${EXPECTED}.`, {
      cause: error,
    });
  }
}
