/**
 * Notes in a JSON file: `notes` are sentences for readers, and `notesData` the same notes as data for programs. Files of
 * older versions have the sentences alone.
 */
import type { Note, NotePlace } from '../../core/history/index.ts';
import type { LevelReport, PredicateReport, Report, UnexplainedResults } from '../../core/verdict/index.ts';
import { isLevel } from '../../core/level/index.ts';
import { storedInvariant } from './invariant-reason.ts';
import { noteTexts } from './words.ts';

export interface StoredNotes {
  readonly notes: readonly string[];
  /** Absent in a file of an older version. */
  readonly notesData?: readonly Note[];
}

export function storedNotes(notes: readonly Note[]): Required<StoredNotes> {
  return { notes: noteTexts(notes), notesData: notes };
}

/** `endedEarly`: that of the same report. */
export function readNotes({ notes, notesData, endedEarly }: StoredNotes & { readonly endedEarly?: string | undefined }): readonly Note[] {
  return notesData ?? notes.map((text) => (text === endedEarly ? { code: 'ended-early', data: { why: text } } : oldNote(text)));
}

/** Results that no rule explains, stored in the same way. */
export interface StoredResults {
  readonly count: number;
  readonly shown: readonly string[];
  readonly shownData?: UnexplainedResults['shown'];
}

export function storedResults({ count, shown }: UnexplainedResults): StoredResults {
  return { count, shown: noteTexts(shown), shownData: shown };
}

function readResults({ count, shown, shownData }: StoredResults): UnexplainedResults {
  return { count, shown: shownData ?? shown.map((text) => oldNote(text) as Note<'text'>) };
}

type LevelWith<R> = Omit<LevelReport, 'predicates'> & {
  readonly predicates?: Omit<PredicateReport, 'unexplained'> & { readonly unexplained: R };
};

type WithoutFindings = Omit<Report, 'findings'>;

/** A report in a file, beside the files of its findings. */
export type StoredReport = Omit<WithoutFindings, 'notes' | 'levels'> &
  StoredNotes & { readonly levels: readonly LevelWith<StoredResults>[] };

export function storedReport(report: WithoutFindings): StoredReport {
  const levels = report.levels.map(({ invariants, ...level }) => ({
    ...withResults(level, storedResults),
    ...(invariants && { invariants: invariants.map(storedInvariant) }),
  }));
  return { ...report, levels, ...storedNotes(report.notes) };
}

export function readReport(stored: StoredReport): WithoutFindings {
  const { notesData: _, ...report } = stored;
  return { ...report, levels: stored.levels.map((level) => withResults(level, readResults)), notes: readNotes(stored) };
}

function withResults<A, B>({ predicates, ...level }: LevelWith<A>, change: (results: A) => B): LevelWith<B> {
  return predicates === undefined ? level : { ...level, predicates: { ...predicates, unexplained: change(predicates.unexplained) } };
}

const LEVEL = '(?:, ([a-z-]+))?';
const RUN = /^run (\S+): /;
const ROUND = new RegExp(`^round (\\d+)${LEVEL}: `);
const CUT = new RegExp(`^round (\\d+)${LEVEL} ended early: (.*); the server answers, so the run went on$`, 's');
const DROPPED =
  /^(\d+) further anomalies with new fingerprints were counted but not kept: of each verdict (\d+) findings are, beyond that (\d+) of each family$/;
const LISTED = /^(\d+) findings that the documents allow are a line each: of each of their families one is kept whole$/;

/** Turns a sentence of an older version into a note. A merge makes some sentences anew. */
function oldNote(sentence: string): Note {
  const [ofRun = '', run] = RUN.exec(sentence) ?? [];
  const rest = sentence.slice(ofRun.length);
  const place = (round: string, level: string | undefined): NotePlace => ({
    ...(run !== undefined && { run }),
    round: Number(round),
    ...(level !== undefined && isLevel(level) && { level }),
  });
  const cut = CUT.exec(rest);
  if (cut !== null) return { ...place(cut[1]!, cut[2]), code: 'round-cut', data: { reason: cut[3]! } };
  const round = ROUND.exec(rest);
  if (round !== null) return { ...place(round[1]!, round[2]), code: 'text', data: { text: rest.slice(round[0].length) } };
  const dropped = DROPPED.exec(sentence);
  if (dropped !== null) {
    const [anomalies, kept, keptOfFamily] = dropped.slice(1).map(Number) as [number, number, number];
    return { code: 'anomalies-dropped', data: { anomalies, kept, keptOfFamily } };
  }
  const listed = LISTED.exec(sentence);
  if (listed !== null) return { code: 'findings-listed', data: { findings: Number(listed[1]) } };
  return { ...(run !== undefined && { run }), code: 'text', data: { text: rest } };
}
