/**
 * `anomalist verify`: is what a finding.json says so? Every edge is derived again from the raw observations in the file,
 * by a program that knows nothing of the one that found it (src/findings/verify/). 0: yes; 1: an edge does not follow; 2:
 * there is nothing to verify. Of the folder of a run every finding is verified, a line each.
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../core/index.ts';
import { verifyFinding } from '../findings/verify/verify-finding.ts';
import type { Verified } from '../findings/verify/verify-finding.ts';

const EXPECTED = 'a finding-<n>.json that holds a certificate, or a folder of these';
const UNINSTRUMENTED =
  'its statements ran without instrumentation, so that it rests on their values, or on what they did not show, and no raw observation shows its edges';

export function verifyCommand(finish: (exit: number) => void): Command<[string[]]> {
  const command = new Command('verify').argument('<files...>', 'finding-<n>.json of a run, or the folder of a run');
  command
    .description('Derive every edge of a finding again from the raw observations in its file.')
    .option('--json', 'one JSON object on stdout', false)
    .action((files, { json }) => {
      const verified = files.flatMap((path) => filesOf(path).flatMap((file) => verifyFile(file).map((part) => ({ file, ...part }))));
      const derived = verified.filter(({ holds }) => holds !== null);
      if (derived.length === 0)
        throw new UsageError(`${files.join(', ')}: ${UNINSTRUMENTED}; expected ${EXPECTED}. \`anomalist replay\` instruments it.`);
      const holds = derived.every((part) => part.holds);
      if (json) process.stdout.write(`${JSON.stringify({ holds, verified })}\n`);
      else {
        for (const { file, what, holds: follows, lines } of verified) {
          const word = follows === null ? 'not derived again' : follows ? 'yes' : 'NO';
          process.stdout.write(
            `${file}, ${what}: ${word}\n${follows && !files.includes(file) ? '' : lines.map((line) => `  ${line}\n`).join('')}`,
          );
        }
        if (derived.length > 1) process.stdout.write(`${derived.filter((part) => part.holds).length} of ${derived.length} hold\n`);
      }
      finish(holds ? EXIT.clean : EXIT.anomaly);
    });
  return command;
}

/** In the order of their numbers. */
function filesOf(path: string): readonly string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const names = namesIn(path).filter((name) => /^finding-\d+\.json$/.test(name));
  if (names.length === 0) throw new UsageError(`${path}: the folder holds no finding-<n>.json; expected ${EXPECTED}.`);
  return names.sort(new Intl.Collator('en', { numeric: true }).compare).map((name) => join(path, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new UsageError(`${folder}: the folder cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
  }
}

type Part = Parameters<typeof verifyFinding>;

interface Certified {
  readonly anomaly?: Part[0];
  readonly statements?: Part[1];
  readonly certificate?: Part[2];
}

/** `holds` is null where there is nothing to derive it from. */
interface VerifiedPart extends Omit<Verified, 'holds'> {
  readonly what: string;
  readonly holds: boolean | null;
}

function verifyFile(path: string): VerifiedPart[] {
  let file: Certified & { readonly format?: unknown; readonly uninstrumented?: boolean; readonly reproduction?: Certified };
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as typeof file;
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
  }
  if (file?.format !== 'anomalist-finding')
    throw new UsageError(`${path}: got format ${JSON.stringify(file?.format ?? null)}; expected ${EXPECTED}.`);
  const parts = [{ what: 'as found', ...file }, ...(file.reproduction ? [{ what: 'as replayed', ...file.reproduction }] : [])];
  return parts.map(({ what, anomaly, statements, certificate }): VerifiedPart => {
    if (what === 'as found' && file.uninstrumented === true && !certificate) return { what, holds: null, lines: [UNINSTRUMENTED] };
    if (!anomaly || !statements || !certificate)
      throw new UsageError(
        `${path}, ${what}: the finding holds no certificate (it was written by an older version); expected ${EXPECTED}.`,
      );
    try {
      return { what, ...verifyFinding(anomaly, statements, certificate) };
    } catch (error) {
      throw new UsageError(`${path}, ${what}: the certificate cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, {
        cause: error,
      });
    }
  });
}
