/**
 * The command line: which commands there are and what an error means for the exit code (docs/PIPELINE.md). stdout
 * carries the report, stderr everything else.
 */
import { Command, CommanderError } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { DatabaseError, EXIT, InternalError, UsageError } from '../core/index.ts';
import { outliveTerminal } from './terminal/gone-terminal.ts';
import { Interrupted } from './terminal/interruption.ts';
import { docsFolder } from './terminal/docs-folder.ts';
import { typed } from './terminal/typed.ts';
import { VERSION } from './version.ts';

type MakeCommand = (finish: (exit: number) => void) => CommandUnknownOpts;

/** Only the command that was named is loaded: a check of a small file must not wait for a generator of SQL. */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  run: async () => (await import('./commands/run.ts')).runCommand,
  explore: async () => (await import('./commands/explore.ts')).exploreCommand,
  replay: async () => (await import('./commands/replay.ts')).replayCommand,
  verify: async () => (await import('./commands/verify.ts')).verifyCommand,
  check: async () => (await import('./commands/check.ts')).checkCommand,
  convert: async () => (await import('./commands/convert.ts')).convertCommand,
  stats: async () => (await import('./commands/stats.ts')).statsCommand,
  generate: async () => (await import('./commands/generate.ts')).generateCommand,
  campaign: async () => (await import('./commands/campaign.ts')).campaignCommand,
  worker: async () => (await import('./commands/worker.ts')).workerCommand,
  merge: async () => (await import('./commands/merge.ts')).mergeCommand,
  matrix: async () => (await import('./commands/matrix.ts')).matrixCommand,
  compare: async () => (await import('./commands/compare.ts')).compareCommand,
  bisect: async () => (await import('./commands/bisect.ts')).bisectCommand,
  shell: async () => (await import('./commands/shell.ts')).shellCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  servers: async () => (await import('./commands/servers.ts')).serversCommand,
  ui: async () => (await import('./commands/ui.ts')).uiCommand,
};

/** `begin` is called right before the command that was named does anything. */
export async function main(argv: readonly string[], begin: () => void = () => {}): Promise<number> {
  // Node's own end, a stack and exit code 1, would mean an anomaly.
  process.on('uncaughtException', (error) => process.exit(explain(error)));
  outliveTerminal();
  let code: number = EXIT.clean;
  const finish = (exit: number): void => {
    code = exit;
  };
  const program = new Command('anomalist')
    .description('Finds isolation anomalies in relational databases.')
    .version(VERSION)
    .showSuggestionAfterError()
    .addHelpText(
      'after',
      `\nTo begin with: ${typed('anomalist run --explore')}   (starts a PostgreSQL of its own, about a minute)${pages()}`,
    )
    .showHelpAfterError('(--help lists every option)')
    .exitOverride()
    .hook('preAction', begin);
  const named = argv[2] !== undefined && Object.hasOwn(COMMANDS, argv[2]) ? [argv[2]] : Object.keys(COMMANDS);
  for (const name of named) {
    const make = await COMMANDS[name]?.();
    if (make) program.addCommand(make(finish).exitOverride().showSuggestionAfterError());
  }
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    return explain(error);
  }
}

/** One clear message on stderr, never a stack trace (NODE_DEBUG=anomalist shows it); the exit code. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.clean : EXIT.failure;
  if (error instanceof Interrupted) return EXIT.interrupted;
  const known = error instanceof UsageError || error instanceof DatabaseError || error instanceof InternalError;
  const wrapped = known ? error : new InternalError(error instanceof Error ? error.message : String(error));
  process.stderr.write(`anomalist: ${wrapped.message}\n`);
  if (process.env['NODE_DEBUG']?.includes('anomalist')) process.stderr.write(`${String((error as Error).stack)}\n`);
  return EXIT.failure;
}

function pages(): string {
  const folder = docsFolder();
  return folder === undefined ? '' : `\nThe pages for people (docs/...): ${folder}, first FIRST-REPORT.md, YOUR-SERVER.md, YOUR-APP.md`;
}
