/** A timestamp some seconds later, as bound values and conditions have it. */
import { expect, it } from 'vitest';
import { bindStatement, shiftedLiteral, timestampAfter } from '../../../../core/sql/index.ts';
import { stopAfter, withBindings } from '../../../../core/program/index.ts';
import type { Expression, Select } from '../../../../core/sql/index.ts';

const at = (value: string | null): Expression => ({ kind: 'literal', type: 'timestamp', value });
const name: Expression = { kind: 'parameter', name: 'from', type: 'timestamp' };
const later = (operand: Expression, seconds = 7_200): Expression => ({ kind: 'shifted', operand, seconds });
const query = (where: Expression): Select => ({ kind: 'select', items: [], from: { kind: 'table', table: 't', alias: 't' }, where });

it('goes over the ends of days, months and leap years, in both directions', () => {
  expect(timestampAfter('2024-02-28 23:59:59', 1)).toBe('2024-02-29 00:00:00');
  expect(timestampAfter('2027-01-01 00:30:00', -3_600)).toBe('2026-12-31 23:30:00');
  expect(timestampAfter('9999-12-31 23:59:59', 1)).toBeUndefined();
  expect(timestampAfter('1000-01-01 00:00:00', -1)).toBeUndefined();
});

it('is one literal where the first one is, a NULL with it; what is beyond the calendar stays for the server to refuse', () => {
  expect(shiftedLiteral(later(at('2026-01-01 10:00:00')))).toEqual(at('2026-01-01 12:00:00'));
  expect(shiftedLiteral(later(at(null)))).toEqual(at(null));
  const beyond = later(at('9999-12-31 23:00:00'));
  expect(shiftedLiteral(beyond)).toBe(beyond);
  const column = later({ kind: 'column', table: 't', column: 'c' });
  expect(shiftedLiteral(column)).toBe(column);
});

it('is bound with its parameter, drawn or read', () => {
  const drawn = bindStatement(query(later(name)), new Map([['from', { type: 'timestamp', value: '2026-01-01 10:00:00' } as const]]));
  expect(drawn.where).toEqual(at('2026-01-01 12:00:00'));
  expect(withBindings(query(later(name, -60)), new Map([['from', '2026-01-01 10:00:00']])).where).toEqual(at('2026-01-01 09:59:00'));
});

it('is compared in a condition, and unknown of NULL', () => {
  const stops = (bindings: string | null, limit: string): string | undefined =>
    stopAfter(
      { ...query(name), stops: [{ when: { kind: 'compare', op: '<=', left: later(name), right: at(limit) }, end: 'rollback' }] },
      new Map([['from', bindings]]),
    );
  expect(stops('2026-01-01 10:00:00', '2026-01-01 12:00:00')).toBe('rollback');
  expect(stops('2026-01-01 10:00:01', '2026-01-01 12:00:00')).toBeUndefined();
  expect(stops(null, '2026-01-01 12:00:00')).toBeUndefined();
});
