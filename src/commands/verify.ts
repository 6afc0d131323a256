/**
 * `anomalist verify`: is what a finding.json says so? Every edge is derived again from the raw observations in the file,
 * by a program that knows nothing of the one that found it (verify-finding.ts). 0: yes; 1: an edge does not follow; 2:
 * there is nothing to verify.
 */
import { readFileSync } from 'node:fs';
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../core/index.ts';
import { verifyFinding } from '../verify-finding.ts';
import type { Verified } from '../verify-finding.ts';

const EXPECTED = 'a finding-<n>.json that holds a certificate';

export function verifyCommand(finish: (exit: number) => void): Command<[string[]]> {
  const command = new Command('verify').argument('<files...>', 'finding-<n>.json of a run');
  command
    .description('Derive every edge of a finding again from the raw observations in its file.')
    .option('--json', 'one JSON object on stdout', false)
    .action((files, { json }) => {
      const verified = files.flatMap((file) => verifyFile(file).map((part) => ({ file, ...part })));
      if (json) process.stdout.write(`${JSON.stringify({ holds: verified.every(({ holds }) => holds), verified })}\n`);
      else for (const { file, what, holds, lines } of verified) process.stdout.write(`${file}, ${what}: ${holds ? 'yes' : 'NO'}\n${lines.map((line) => `  ${line}\n`).join('')}`);
      finish(verified.every(({ holds }) => holds) ? EXIT.clean : EXIT.anomaly);
    });
  return command;
}

type Part = Parameters<typeof verifyFinding>;

interface Certified {
  readonly anomaly?: Part[0];
  readonly statements?: Part[1];
  readonly certificate?: Part[2];
}

function verifyFile(path: string): (Verified & { readonly what: string })[] {
  let file: Certified & { readonly format?: unknown; readonly reproduction?: Certified };
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as typeof file;
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
  }
  if (file?.format !== 'anomalist-finding') throw new UsageError(`${path}: got format ${JSON.stringify(file?.format ?? null)}; expected ${EXPECTED}.`);
  const parts = [{ what: 'as found', ...file }, ...(file.reproduction ? [{ what: 'as replayed', ...file.reproduction }] : [])];
  return parts.map(({ what, anomaly, statements, certificate }) => {
    if (!anomaly || !statements || !certificate) throw new UsageError(`${path}, ${what}: the finding holds no certificate (it was written by an older version); expected ${EXPECTED}.`);
    try {
      return { what, ...verifyFinding(anomaly, statements, certificate) };
    } catch (error) {
      throw new UsageError(`${path}, ${what}: the certificate cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
    }
  });
}
