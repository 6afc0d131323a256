/**
 * `anomalist verify` checks a finding.json. Every edge is derived again from the raw observations in the file, by a
 * program that is independent of the one that found it (src/judge/findings/verify/). Exit code 0: the finding follows; 1:
 * an edge does not follow; 2: there is nothing to verify. For the folder of a run every finding is verified, a line each.
 * For a small program's finding the serial orders are compared with the observation (src/judge/findings/verify-outcome/).
 * A report of `anomalist check` is verified in the same way, from the history that was checked
 * (src/judge/findings/verify-refutation/).
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import { Malformed } from '../../judge/findings/fields.ts';
import { verifyFinding } from '../../judge/findings/verify/verify-finding.ts';
import { verifyOutcome } from '../../judge/findings/verify-outcome/verify-outcome.ts';
import { FORMAT_NAMES } from './format-names.ts';
import type { VerifiedPart } from './verified-part.ts';
import { REPORT, verifyReport } from './verify-report.ts';

const EXPECTED = 'a finding-<n>.json that holds a certificate, a folder of these, or a report of `anomalist check --json`';
const UNINSTRUMENTED =
  'its statements ran without instrumentation, so that it rests on their values, or on what they did not show, and no raw observation shows its edges (`anomalist replay` instruments it)';

export function verifyCommand(finish: (exit: number) => void): Command<[string[]]> {
  const command = new Command('verify').argument(
    '<files...>',
    'finding-<n>.json of a run, the folder of a run, or what `check --json` printed',
  );
  command
    .option('--history <path>', 'of a report of `check`: the history that was checked')
    .addOption(new Option('--format <format>', 'what that history is').choices(['auto', ...FORMAT_NAMES]).default('auto'))
    .option('--json', 'one JSON object on stdout', false)
    .action(async (files, { json, ...from }) => {
      const verified: (VerifiedPart & { readonly file: string })[] = [];
      for (const file of files.flatMap(filesOf)) for (const part of await verifyFile(file, from)) verified.push({ ...part, file });
      const derived = verified.filter(({ holds }) => holds !== null);
      if (derived.length === 0) throw new UsageError(`${files.join(', ')}: ${nothing(verified)}; expected ${EXPECTED}.`);
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

function nothing(verified: readonly VerifiedPart[]): string {
  const [first] = verified;
  return first === undefined ? 'the report names no anomaly' : first.lines.join(' ');
}

/** Returns the files in the order of their numbers. */
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

async function verifyFile(
  path: string,
  from: { readonly history?: string | undefined; readonly format: string },
): Promise<readonly VerifiedPart[]> {
  let file: Certified & {
    readonly format?: unknown;
    readonly uninstrumented?: boolean;
    readonly reproduction?: Certified;
    readonly family?: object;
  };
  try {
    file = JSON.parse(readFileSync(path, 'utf8')) as typeof file;
  } catch (error) {
    throw new UsageError(`${path}: cannot be read (${(error as Error).message}); expected ${EXPECTED}.`, { cause: error });
  }
  if (file?.format === REPORT) return verifyReport(path, file, from.history, from.format);
  if (file?.format !== 'anomalist-finding')
    throw new UsageError(`${path}: got format ${JSON.stringify(file?.format ?? null)}; expected ${EXPECTED}.`);
  if (file.family !== undefined) return [verifyProgram(path, file.family)];
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

/** Its serial orders stand for the edges that a finding of rounds has. */
function verifyProgram(path: string, family: object): VerifiedPart {
  try {
    return { what: 'its serial orders', ...verifyOutcome(family) };
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new UsageError(`${path}: the certificate cannot be read (${error.message}); expected ${EXPECTED}.`, { cause: error });
  }
}
