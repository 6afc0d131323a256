/**
 * What is shown is read back: expressions of show.ts, put into values as a server would, through the decoders. The servers'
 * own spellings of the same JSON are held against it by the printers' tests and, live, by test/db/exact-forms.test.ts.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LIST_WINDOW,
  appendedList,
  asVersion,
  besideArray,
  decodeCapture,
  decodeObservations,
  imageOf,
  listEntry,
  metArray,
  parseRowId,
  readList,
  ridsOf,
  rowId,
  rowIdPrefix,
  userColumnsOf,
  versionItems,
  versionsOf,
} from '../../../../../core/history/index.ts';
import type { Expression, Table } from '../../../../../core/sql/index.ts';
import type { Probe } from '../../../../../core/program/index.ts';
import { entries, listOf, storedRow } from '../../../../arbitraries/row-version.ts';
import type { Stored } from '../../../../arbitraries/row-version.ts';
import { always } from '../../../../property.ts';

const WIDTH = 3;
const USERS = Array.from({ length: WIDTH }, (_, i) => ({ name: `c${i}`, type: { kind: 'text' }, nullable: true }) as const);
const TABLE: Table = {
  name: 't',
  columns: [
    ...USERS,
    {
      name: 'g',
      type: { kind: 'text' },
      nullable: true,
      generated: { expression: { kind: 'column', table: 't', column: 'c0' }, kind: 'stored' },
    },
    { name: 'iso_rid', type: { kind: 'text' }, nullable: true },
    { name: 'iso_w', type: { kind: 'text' }, nullable: true },
  ],
  primaryKey: [],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [],
};
const ENTRY = listEntry(7, 1);
const PROPOSED = rowId(7, 1, 4);

type Shown = string | number | boolean | null | undefined | readonly Shown[];
type Bound = Readonly<Record<string, Stored | undefined>>;

/** The value of an expression where each alias stands for a row, or for the missing side of an outer join. */
function valueOf(expression: Expression, rows: Bound): Shown {
  if (expression.kind === 'literal') return expression.value;
  if (expression.kind === 'jsonArray') return expression.items.map((item) => valueOf(item, rows));
  if (expression.kind === 'proposed') return PROPOSED;
  if (expression.kind === 'concat')
    return expression.operands
      .map((operand) => valueOf(operand, rows))
      .reduce((a, b) => (typeof a === 'string' && typeof b === 'string' ? a + b : null));
  if (expression.kind === 'call' && expression.name === 'right')
    return String(valueOf(expression.args[0]!, rows)).slice(-Number(valueOf(expression.args[1]!, rows)));
  if (expression.kind !== 'column') throw new Error(`this test knows no ${expression.kind}`);
  const row = rows[expression.table];
  if (row === undefined) return null;
  return { iso_rid: row.rid, iso_w: row.list }[expression.column] ?? row.columns[Number(expression.column.slice(1))];
}

const json = (items: readonly Expression[], rows: Bound): string => JSON.stringify(valueOf({ kind: 'jsonArray', items }, rows));
const triple = ({ table, rid, list }: Stored): string[] => [table, rid, list];
const read: Probe = { layout: { kind: 'json' }, role: 'read', reads: 'exact', userColumns: 0 };
const write: Probe = { ...read, role: 'write' };
const decoded = (probe: Probe, ...values: readonly string[]): ReturnType<typeof decodeObservations> =>
  decodeObservations(probe, { columns: [], rows: values.map((value) => [value]), affected: values.length });

const row = (): fc.Arbitrary<Stored> => storedRow('t', WIDTH);

describe('the wire', () => {
  it('shows the rows of a join, whichever side is missing and however they are nested', () => {
    always(
      fc.tuple(fc.array(fc.option(row(), { nil: undefined }), { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 })),
      { seed: 1, of: 400, reached: { 'a missing side': 0.1, 'two rows': 0.3 } },
      ([rows, depth], reached) => {
        const bound = Object.fromEntries(rows.map((each, i) => [`a${i}`, each]));
        let items: readonly Expression[] = rows.flatMap((_, i) => versionItems('t', `a${i}`));
        for (let i = 0; i < depth; i++) items = [{ kind: 'jsonArray', items }];
        const present = rows.filter((each) => each !== undefined);
        if (present.length < rows.length) reached('a missing side');
        if (present.length > 1) reached('two rows');
        expect(decoded(read, json(items, bound)).triples).toEqual(present.flatMap(triple));
      },
    );
  });

  it('shows what a write returns with its image, and apart from it what was read beside', () => {
    always(
      fc.tuple(row(), fc.array(row(), { maxLength: 3 })),
      { seed: 2, of: 400, reached: { 'reads beside': 0.4, 'a NULL': 0.3 } },
      ([own, others], reached) => {
        const returned = json([...versionItems('t', 'own'), imageOf(TABLE, 'own')], { own });
        const beside = JSON.stringify(
          valueOf(
            besideArray(others.flatMap((_, i) => versionItems('t', `b${i}`))),
            Object.fromEntries(others.map((each, i) => [`b${i}`, each])),
          ),
        );
        const seen = decoded(write, returned, beside);
        if (others.length > 0) reached('reads beside');
        if (own.columns.includes(null)) reached('a NULL');
        expect(seen).toMatchObject({ triples: triple(own), images: [own.columns], rows: 1 });
        const once = [...new Map(others.map((each) => [`${each.rid} ${each.list}`, each])).values()];
        expect(seen.auxiliaryReads ?? []).toEqual(once.flatMap(triple));
      },
    );
  });

  it('captures rows as they were, and says of them what the statement made', () => {
    always(
      fc.tuple(fc.uniqueArray(row(), { maxLength: 4, selector: ({ rid }) => rid }), row()),
      { seed: 3, of: 400, reached: { rows: 0.5 } },
      ([rows, beside], reached) => {
        const captured = rows.map((own) => `${json([...versionItems('t', 'own'), imageOf(TABLE, 'own')], { own })},`);
        const reads = `${JSON.stringify(valueOf(besideArray(versionItems('t', 'b')), { b: beside }))},`;
        const seen = decodeCapture({ own: true, entry: ENTRY }, { affected: rows.length }, [reads, ...captured].join(''));
        if (rows.length > 0) reached('rows');
        expect(seen.inconclusive).toBeUndefined();
        // the list that is concluded is the one that the statement's own assignment wrote
        expect(seen.triples).toEqual(rows.flatMap((own) => ['t', own.rid, String(valueOf(appendedList('own', 7, 1), { own }))]));
        expect(seen.images ?? []).toEqual(rows.map(({ columns }) => columns));
        expect(seen.auxiliaryReads).toEqual(beside.list.endsWith(ENTRY) ? undefined : triple(beside));
      },
    );
  });

  it('captures the row that a proposed one met', () => {
    always(row(), { seed: 4, of: 200, reached: { rows: 1 } }, (met, reached) => {
      const text = `${JSON.stringify(valueOf(metArray(versionItems('t', 't')), { t: met }))},`;
      const inserted = { table: 't', prefix: rowIdPrefix(7, 1), rows: 6, conflict: 'update' } as const;
      const seen = decodeCapture({ own: true, entry: ENTRY, inserted }, { affected: 5 + 2 }, text);
      reached('rows');
      expect(ridsOf(seen.triples)).toEqual([0, 1, 2, 3, 5].map((n) => rowId(7, 1, n)).concat(met.rid));
      expect(versionsOf(seen.triples).at(-1)).toEqual(['t', met.rid, `${met.list}${ENTRY}`.slice(-LIST_WINDOW)]);
    });
  });

  it('reads the entries of a list back, but for the front that the window cut off and for adjacent repeats', () => {
    always(entries(), { seed: 5, of: 500, reached: { 'cut off': 0.2, whole: 0.2 } }, (written, reached) => {
      const list = listOf(written);
      const back: (readonly [number, number])[] = [];
      expect(readList(list, (txn, seq) => back.push([txn, seq]))).toBe(true);
      const changes = written.filter(([txn, seq], i) => i === 0 || txn !== written[i - 1]![0] || seq !== written[i - 1]![1]);
      reached(back.length < changes.length ? 'cut off' : 'whole');
      expect(back.length).toBeGreaterThan(20 < changes.length ? 20 : 0);
      expect(back).toEqual(changes.slice(-back.length));
      if (list.length < LIST_WINDOW) expect(back).toEqual(changes);
    });
  });

  it('tells the birth of a row from its id', () => {
    always(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { seed: 6, of: 200, reached: { ids: 1 } }, ([txn, seq, n], reached) => {
      reached('ids');
      expect(parseRowId(rowId(txn, seq, n))).toEqual({ txn, seq });
      expect(rowId(txn, seq, n)).toBe(`${rowIdPrefix(txn, seq)}${n}`);
    });
  });

  it('knows a lone version from anything longer', () => {
    const items = versionItems('t', 'a');
    expect(asVersion({ kind: 'jsonArray', items })).toEqual(items);
    expect(asVersion({ kind: 'jsonArray', items: [...items, ...items] })).toBeUndefined();
    expect(asVersion({ kind: 'jsonArray', items: [...items, imageOf(TABLE, 'a')] })).toBeUndefined();
    expect(asVersion({ kind: 'jsonArray', items: items.slice(1) })).toBeUndefined();
  });

  it('counts the auxiliary columns among nobody’s', () => {
    expect(userColumnsOf(TABLE)).toEqual(USERS);
  });
});
