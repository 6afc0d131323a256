/** What a reply says of when subqueries were read. */
import { expect, test } from 'vitest';
import { shownRows } from '../../../../src/evaluate/shown-rows.ts';
import { historyFromText } from '../../history-text.ts';

test('a statement has read the tables whose rows it shows as read, and replaced the versions before its own', () => {
  const history = historyFromText('t1: r x ,0.0; w x ,0.0,1.1; w x ,0.0,1.1,1.2; d3 y ,0.0; commit');
  const shown = shownRows(history);
  const statements = Array.from({ length: history.statements.count }, (_, s) => s);
  const table = history.rows.table[0]!;
  const of = (kind: string): number[] => statements.filter((s) => history.statements.kind[s] === kind);
  expect(statements.filter((s) => shown.hasRead(s, table))).toEqual(of('select'));
  expect(shown.hasRead(of('select')[0]!, 'another')).toBe(false);
  const row = history.observations.row[0]!;
  expect(of('update').map((s) => [...shown.replacedBy(s)])).toEqual([[`${row} 0.0`], [`${row} 1.1`]]);
  expect(shown.replacedBy(of('select')[0]!).size).toBe(0);
});
