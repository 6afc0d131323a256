/** Events as lines: what was written is read again, however the bytes come, and a cut file up to the cut. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readEvents } from '../../../../check/index.ts';
import { HISTORY_FORMAT, HISTORY_VERSION, StatementNames } from '../../../../core/history/index.ts';
import type { HistoryEvent } from '../../../../core/history/index.ts';
import { historyEvent, roundEvent } from '../../../arbitraries/history-event.ts';
import { always } from '../../../property.ts';

const HEADER = { e: 'header', format: HISTORY_FORMAT, version: HISTORY_VERSION, tool: 'anomalist test', seed: 's' } as const;
const HEAD = Buffer.from(`${JSON.stringify(HEADER)}\n`);

const histories = (): fc.Arbitrary<readonly HistoryEvent[]> =>
  fc
    .tuple(roundEvent(), fc.array(historyEvent(), { maxLength: 20, size: 'max' }))
    .map(([round, events]) => [round, ...events].map(inItsSession));

/** A transaction belongs to one session. */
function inItsSession(event: HistoryEvent): HistoryEvent {
  return event.e === 'invoke' ? { ...event, s: event.t % 5 } : event;
}

function written(events: readonly HistoryEvent[]): Buffer {
  const names = new StatementNames();
  return Buffer.concat([HEAD, ...events.map((event) => Buffer.from(`${JSON.stringify(names.written(event))}\n`))]);
}

/** `chunk`: as many bytes as a read gives at most. */
function read(bytes: Uint8Array, chunk: number, allowCut: boolean): HistoryEvent[] {
  let at = 0;
  const next = (buffer: Uint8Array): number => {
    const part = bytes.subarray(at, at + Math.min(chunk, buffer.length));
    buffer.set(part);
    at += part.length;
    return part.length;
  };
  return [...readEvents(next, { file: 'h.ndjson', allowCut })];
}

const repeats = (events: readonly HistoryEvent[]): boolean => {
  const texts = events.flatMap((event) => (event.e === 'invoke' ? [event.sql] : []));
  return new Set(texts).size < texts.length;
};

describe('a history in lines', () => {
  test('is read as it was written, in pieces of any size', () => {
    always(
      fc.tuple(histories(), fc.integer({ min: 1, max: 400 })),
      { seed: 51, of: 600, least: 150, reached: { 'a statement that repeats': 0.2 } },
      ([events, chunk], reached) => {
        expect(read(written(events), chunk, false)).toEqual([HEADER, ...events]);
        if (repeats(events)) reached('a statement that repeats');
      },
    );
  });

  test('cut at any byte is read up to the cut, and refused unless a cut is allowed', () => {
    always(fc.tuple(histories(), fc.nat()), { seed: 52, of: 600, least: 150, reached: { 'in a line': 0.5 } }, ([events, lot], reached) => {
      const bytes = written(events);
      const cut = bytes.subarray(0, HEAD.length + (lot % (bytes.length - HEAD.length)));
      const whole = cut.filter((byte) => byte === 10).length;
      expect(read(cut, Infinity, true)).toEqual([HEADER, ...events].slice(0, whole));
      if (cut.at(-1) === 10) return;
      // only the line end is missing, as an editor may leave it
      if (bytes[cut.length] === 10) return expect(read(cut, Infinity, false)).toEqual([HEADER, ...events].slice(0, whole + 1));
      reached('in a line');
      expect(() => read(cut, Infinity, false)).toThrow(/the file ends in the middle of a line/);
    });
  });
});
