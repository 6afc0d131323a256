/** Plume text as a row of the FORMATS table. */
import { UsageError } from '../../../core/index.ts';
import { head, onlyFile, withoutMark } from '../format.ts';
import type { HistoryFormat } from '../format.ts';
import { parsePlume } from './read.ts';
import { writePlume } from './write.ts';

export const plume: HistoryFormat = {
  name: 'plume',
  title: 'plume / PolySI / MTC / IsoVista text',
  detect: (files) => /^[rw]\s*\(/.test(head(files)),
  read: (files) => {
    const { name, bytes: given } = onlyFile(files, 'plume');
    const bytes = withoutMark(given);
    let at = 0;
    const next = (buffer: Uint8Array): number => {
      const part = bytes.subarray(at, at + buffer.length);
      buffer.set(part);
      at += part.length;
      return part.length;
    };
    return { kind: 'kv', history: parsePlume(next, { file: name, size: bytes.length }) };
  },
  write: (history) => {
    if (history.kind !== 'kv') throw new UsageError('plume: got a list-append history, expected reads and writes of registers');
    return [{ name: 'history.txt', bytes: writePlume(history.history) }];
  },
};
