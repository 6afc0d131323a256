/** Notes are data with words in reports/; a file has both, and the files of older versions, which have words alone, are read. */
import { describe, expect, it } from 'vitest';
import type { Note, Report } from '../../../core/index.ts';
import { noteText, readNotes, readReport, storedNotes, storedReport } from '../../../reports/index.ts';
import { report } from './fixture.ts';

const NOTES: readonly Note[] = [
  { code: 'round-cut', round: 3, level: 'read-committed', data: { reason: 'connection lost' } },
  { code: 'record-cut', round: 4, data: {} },
  { code: 'not-seen-again', run: 'r1', level: 'serializable', data: { finding: 'f3', anomaly: 'write skew' } },
  { code: 'values-numbered', data: {} },
];

const UNEXPLAINED: Note<'result-unexplained'> = {
  code: 'result-unexplained',
  round: 2,
  data: { transaction: 4, statement: 1, kind: 'select', row: 'r0.0_1', table: 't', sql: 'SELECT 1' },
};

describe('notes', () => {
  it('have words behind the run and the round that they are of', () => {
    expect(NOTES.map((note) => noteText(note))).toEqual([
      'round 3, read-committed: the round ended early: connection lost; the server answers, so the run went on',
      'round 4: the record ends early; transactions without an outcome are unknown',
      'run r1: f3 (write skew, serializable) did not occur again when its transactions were replayed one statement at a time: it may need a race',
      'values that are no 64-bit integers are numbered in order of first use',
    ]);
  });

  it('are sentences in a file, and data beside them, from which they are read', () => {
    const stored = JSON.parse(JSON.stringify(storedNotes(NOTES))) as ReturnType<typeof storedNotes>;
    expect(stored.notes).toEqual(NOTES.map((note) => noteText(note)));
    expect(readNotes(stored)).toEqual(NOTES);
  });

  it('of an older file keep their words and their place', () => {
    const notes = [
      'round 3, read-committed ended early: gone; the server answers, so the run went on',
      'round 3, read-committed: history 1',
      'run r1: round 2, serializable: history 2',
      'run r1: replaying ended early: gone',
      'the schema anomalist_x could not be dropped: the server replies to nothing',
      'interrupted',
      '12 further anomalies with new fingerprints were counted but not kept: of each verdict 200 findings are, beyond that 3 of each family',
      '5 findings that the documents allow are a line each: of each of their families one is kept whole',
    ];
    const read = readNotes({ notes, endedEarly: 'interrupted' });
    expect(read).toEqual([
      { code: 'round-cut', round: 3, level: 'read-committed', data: { reason: 'gone' } },
      { code: 'text', round: 3, level: 'read-committed', data: { text: 'history 1' } },
      { code: 'text', run: 'r1', round: 2, level: 'serializable', data: { text: 'history 2' } },
      { code: 'text', run: 'r1', data: { text: 'replaying ended early: gone' } },
      { code: 'text', data: { text: notes[4] } },
      { code: 'ended-early', data: { why: 'interrupted' } },
      { code: 'anomalies-dropped', data: { anomalies: 12, kept: 200, keptOfFamily: 3 } },
      { code: 'findings-listed', data: { findings: 5 } },
    ]);
    expect(read.slice(1, 6).map((note) => noteText(note))).toEqual(notes.slice(1, 6));
  });

  it('of a report in a file are read with it, results that no rule explains too, of an older file as words', () => {
    const { findings: _, ...whole } = withUnexplained(report({ notes: NOTES }));
    const stored = storedReport(whole);
    const read = (file: typeof stored): typeof whole => readReport(JSON.parse(JSON.stringify(file)) as typeof stored);
    expect(read(stored)).toEqual(JSON.parse(JSON.stringify(whole)));
    const { notesData: __, ...old } = stored;
    const [level] = old.levels;
    const { shownData: ___, ...unexplained } = level!.predicates!.unexplained;
    const again = read({ ...old, levels: [{ ...level!, predicates: { ...level!.predicates!, unexplained } }] });
    expect(again.levels[0]!.predicates!.unexplained.shown).toEqual([
      { code: 'text', round: 2, data: { text: noteText({ code: UNEXPLAINED.code, data: UNEXPLAINED.data }) } },
    ]);
    expect(again.notes.map((note) => noteText(note))).toEqual(stored.notes);
  });
});

function withUnexplained(told: Report): Report {
  const predicates = {
    evaluated: 1,
    versions: 2,
    skipped: {},
    thrownAway: {},
    wrp: 0,
    rwp: 0,
    unexplained: { count: 1, shown: [UNEXPLAINED] },
  };
  return { ...told, levels: told.levels.map((level) => ({ ...level, predicates })) };
}
