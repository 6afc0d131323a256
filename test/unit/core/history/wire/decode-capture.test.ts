/** What a captured text and the affected count say together, and when they leave a doubt. */
import { expect, test } from 'vitest';
import { decodeCapture } from '../../../../../core/history/index.ts';

const update = { own: true, entry: ',7.1' } as const;
const upsert = { own: true, entry: ',7.1', inserted: { table: 't', prefix: 'r7.1_', rows: 3, conflict: 'update' } } as const;

test('an update appends its entry to the captured list and keeps the image', () => {
  const seen = decodeCapture(update, { affected: 1 }, '["t", "r0.0_1", ",0.0", ["", "1", null]],');
  expect(seen).toEqual({ triples: ['t', 'r0.0_1', ',0.0,7.1'], images: [['1', null]] });
});

test('the list stays in its window', () => {
  const list = ',123456.1'.repeat(53);
  expect(decodeCapture(update, { affected: 1 }, `["t", "r0.0_1", "${list}"],`).triples[2]).toBe(`${list},7.1`.slice(-480));
});

test('a row captured twice is one row, as it was captured last', () => {
  const seen = decodeCapture(update, { affected: 1 }, '["t", "r0.0_1", ",0.0"],["t", "r0.0_1", ",0.0,8.1"],');
  expect(seen).toEqual({ triples: ['t', 'r0.0_1', ',0.0,8.1,7.1'] });
});

test('more rows than were affected are a doubt with the versions in question', () => {
  const seen = decodeCapture({ own: true }, { affected: 1 }, '["t", "r0.0_1", ",0.0"],["t", "r0.0_2", ",0.0"],');
  expect(seen).toEqual({
    triples: [],
    inconclusive: { reason: '1 rows affected, 2 captured', triples: ['t', 'r0.0_1', ',0.0', 't', 'r0.0_2', ',0.0'] },
  });
});

test('fewer rows than were affected cannot be settled by reading again', () => {
  expect(decodeCapture(update, { affected: 2 }, '["t", "r0.0_1", ",0.0"],').inconclusive).toEqual({
    reason: '2 rows affected, 1 captured',
    triples: [],
  });
});

test('rows matched and not changed were not written, whatever was captured: an error was dropped on the way', () => {
  const row = '["t", "r0.0_1", ",0.0"],';
  expect(decodeCapture(update, { affected: 1, changed: 0 }, row)).toEqual({
    triples: [],
    inconclusive: { reason: '1 rows matched, 0 changed', triples: [] },
  });
  expect(decodeCapture(update, { affected: 1, changed: 1 }, row).triples).toEqual(['t', 'r0.0_1', ',0.0,7.1']);
});

test('a variable that became NULL is a doubt', () => {
  expect(decodeCapture(update, { affected: 0 }, null).inconclusive?.reason).toContain('max_allowed_packet');
});

test('reads beside the rows are shown once; the missing side of a join is none', () => {
  const seen = decodeCapture(
    update,
    { affected: 0 },
    '[false, "s", "r0.0_3", ",0.0", "u", null, null],[false, "s", "r0.0_3", ",0.0", null],',
  );
  expect(seen).toEqual({ triples: [], auxiliaryReads: ['s', 'r0.0_3', ',0.0'] });
});

test('what a statement sees of its own changes is no read', () => {
  const seen = decodeCapture(update, { affected: 0 }, '[false, "s", "r0.0_3", ",0.0,7.1", "s", "r0.0_4", ",0.0,17.1"],');
  expect(seen).toEqual({ triples: [], auxiliaryReads: ['s', 'r0.0_4', ',0.0,17.1'] });
});

test('an upsert inserts what met no row', () => {
  const seen = decodeCapture(upsert, { affected: 4 }, '[true, "r7.1_1", "t", "r0.0_1", ",0.0"],');
  expect(seen).toEqual({ triples: ['t', 'r7.1_0', ',7.1', 't', 'r7.1_2', ',7.1', 't', 'r0.0_1', ',0.0,7.1'] });
});

test('a row of the upsert that met one inserted before it makes no second version', () => {
  const seen = decodeCapture(upsert, { affected: 4 }, '[true, "r7.1_1", "t", "r7.1_0", ",7.1"],');
  expect(seen).toEqual({ triples: ['t', 'r7.1_2', ',7.1', 't', 'r7.1_0', ',7.1,7.1'] });
});

test('a row that was met and left, counted as 0 or as 1, was not inserted', () => {
  for (const affected of [2, 3])
    expect(decodeCapture(upsert, { affected }, '[true, "r7.1_1"],').triples).toEqual(['t', 'r7.1_0', ',7.1', 't', 'r7.1_2', ',7.1']);
  expect(decodeCapture(upsert, { affected: 5 }, '[true, "r7.1_1"],').inconclusive).toBeDefined();
});

test('INSERT IGNORE names all or none, else the rows that may be there', () => {
  const ignore = { ...upsert, inserted: { ...upsert.inserted, conflict: 'nothing' } } as const;
  expect(decodeCapture(ignore, { affected: 3 }, '').triples).toHaveLength(9);
  expect(decodeCapture(ignore, { affected: 0 }, '')).toEqual({ triples: [] });
  expect(decodeCapture(ignore, { affected: 1 }, '').inconclusive?.triples).toHaveLength(9);
});

test('REPLACE is whole if it removed nothing, or as many as were seen to be in its way', () => {
  const replace = { ...upsert, inserted: { ...upsert.inserted, conflict: 'replace' } } as const;
  expect(decodeCapture(replace, { affected: 3 }, '').triples).toHaveLength(9);
  expect(decodeCapture(replace, { affected: 4 }, '').inconclusive).toBeDefined();
  expect(decodeCapture(replace, { affected: 4 }, '', ['t', 'r0.0_1', ',0.0']).inconclusive).toBeUndefined();
  expect(decodeCapture(replace, { affected: 3 }, '', ['t', 'r0.0_1', ',0.0']).inconclusive).toBeDefined();
});

test('where the server may run a statement twice, what it read beside its rows proves nothing, and its rows do', () => {
  const text = '[false, "s", "r0.0_5", ",0.0"],["t", "r0.0_1", ",0.0"],[false, "s", "r0.0_5", ",0.0,8.1"],["t", "r0.0_1", ",0.0,8.2"],';
  expect(decodeCapture(update, { affected: 1 }, text).auxiliaryReads).toEqual(['s', 'r0.0_5', ',0.0', 's', 'r0.0_5', ',0.0,8.1']);
  expect(decodeCapture({ ...update, auxiliaryReads: false }, { affected: 1 }, text)).toEqual({ triples: ['t', 'r0.0_1', ',0.0,8.2,7.1'] });
});

test('an insert of stated rows has their images, if all went in and none was changed on the way', () => {
  const inserted = {
    table: 't',
    prefix: 'r7.1_',
    rows: 2,
    images: [
      ['1', null],
      ['2', 'x'],
    ],
  } as const;
  const made = ['t', 'r7.1_0', ',7.1', 't', 'r7.1_1', ',7.1'];
  expect(decodeCapture({ own: true, entry: ',7.1', inserted }, { affected: 2 }, '')).toEqual({ triples: made, images: inserted.images });
  expect(decodeCapture({ own: true, entry: ',7.1', inserted }, { affected: 1 }, '').images).toBeUndefined();
  expect(decodeCapture({ own: true, entry: ',7.1', inserted: { ...inserted, conflict: 'replace' } }, { affected: 2 }, '')).toEqual({
    triples: made,
    images: inserted.images,
  });
  const upserted = { own: true, entry: ',7.1', inserted: { ...inserted, conflict: 'update' } } as const;
  expect(decodeCapture(upserted, { affected: 2 }, '')).toEqual({ triples: made, images: inserted.images });
  expect(decodeCapture(upserted, { affected: 1 }, '[true, "r7.1_0"],'), 'the first met a row and left it').toEqual({
    triples: made.slice(3),
    images: inserted.images.slice(1),
  });
  expect(decodeCapture(upserted, { affected: 3 }, '[true, "r7.1_0", "t", "r0.0_1", ",0.0"],').images, 'a row was updated').toBeUndefined();
});
