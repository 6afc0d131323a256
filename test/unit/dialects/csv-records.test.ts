/** The reader of CSV: what a writer that quotes as PostgreSQL does has written comes back, whatever it was. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvRecords, fieldsOf } from '../../../dialects/log/csv-records.ts';

type Records = readonly (readonly string[])[];

function read(text: string): { readonly records: Records; readonly cuts: number; readonly open: boolean } {
  const records: (readonly string[])[] = [];
  let cuts = 0;
  const reader = csvRecords(
    (fields) => records.push(fields),
    () => cuts++,
  );
  for (const line of text.split('\n')) reader.line(line);
  return { records, cuts, open: reader.end() };
}

const quoted = (field: string): string => `"${field.replaceAll('"', '""')}"`;

describe('records of CSV', () => {
  it('come back as they were written, quoted or plain', () => {
    const field = fc.record({ text: fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', ' ', '\\', 'é', '\r') }), quote: fc.boolean() });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1 }), { minLength: 1 }), (rows) => {
        const text = rows
          .map((row) => row.map((each) => (each.quote || /[",\n]/.test(each.text) ? quoted(each.text) : each.text)).join(','))
          .join('\n');
        expect(read(text)).toEqual({ records: rows.map((row) => row.map((each) => each.text)), cuts: 0, open: false });
      }),
    );
  });

  it.each(['a"b"', '"a"b', '"a" ,b', 'a,"b""'])('no record is %s', (text) => {
    expect(fieldsOf(text)).toBeUndefined();
  });

  it('a line that is no record is counted, and the next is read', () => {
    expect(read('a,b"c"\nd,e')).toEqual({ records: [['d', 'e']], cuts: 1, open: false });
  });

  it('a quote that nothing closes takes at most 4 MB', () => {
    const line = 'x'.repeat(999_999);
    expect(read(['"open', line, line, line, line, 'a,b'].join('\n'))).toEqual({ records: [['a', 'b']], cuts: 1, open: false });
    expect(read('a,b\n"open')).toEqual({ records: [['a', 'b']], cuts: 0, open: true });
  });

  // docs/decisions/own-csv-reader.md has the times: the reader once read a record from its beginning at each of its lines.
  it('a statement of 20,000 lines is read whole', () => {
    const statement = Array.from({ length: 20_000 }, (_, row) => `(${row}, '${'y'.repeat(40)}'),`).join('\n');
    expect(read(`a,${quoted(statement)},z`).records).toEqual([['a', statement, 'z']]);
  });
});
