/** Reads the lines of a file or of stdin as a stream. A line that never ends is cut. */
import { createReadStream } from 'node:fs';
import { UsageError } from '../../../core/index.ts';

const LONGEST = 8_000_000;

export async function* linesOf(file: string): AsyncGenerator<string> {
  const stream = file === '-' ? process.stdin : createReadStream(file);
  stream.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of stream as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!.slice(0, LONGEST);
      for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  } catch (error) {
    throw new UsageError(
      `--log ${file}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}); expected a log of PostgreSQL, MySQL or MariaDB.`,
    );
  }
  if (rest !== '') yield rest;
}
