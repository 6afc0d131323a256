/** The command line: the commands, and the exit code of each error (docs/PIPELINE.md). stdout has the report, stderr everything else. */
import { Command, CommanderError, Help } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { DatabaseError, EXIT, InternalError, UsageError } from '../../core/index.ts';
import { COMMANDS } from './commands/table.ts';
import type { CommandRow } from './commands/table.ts';
import { outliveTerminal } from './terminal/gone-terminal.ts';
import { Interrupted } from '../process/interruption.ts';
import { docsFolder } from './terminal/docs-folder.ts';
import { typed } from '../process/typed.ts';
import { VERSION } from '../process/version.ts';

/** `begin` is called right before the named command starts. */
export async function main(argv: readonly string[], begin: () => void = () => {}): Promise<number> {
  // Node's own end, with a stack and exit code 1, would mean an anomaly.
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
    .configureHelp({ subcommandTerm })
    .exitOverride()
    .hook('preAction', begin);
  // `help run` names it too.
  const named = argv.slice(2).find((word) => Object.hasOwn(COMMANDS, word));
  for (const [name, row] of Object.entries(COMMANDS)) program.addCommand(name === named ? await loaded(row, finish) : listed(name, row));
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    return explain(error);
  }
}

async function loaded({ says, load }: CommandRow, finish: (exit: number) => void): Promise<CommandUnknownOpts> {
  const make = await load();
  return make(finish).description(says).exitOverride().showSuggestionAfterError();
}

/** Returns a command that was not called, for help and for suggestions. */
function listed(name: string, { says }: CommandRow): CommandUnknownOpts {
  return new Command(name).description(says);
}

function subcommandTerm(command: CommandUnknownOpts): string {
  const row = COMMANDS[command.name()];
  return row === undefined ? new Help().subcommandTerm(command) : `${command.name()} ${row.takes}`.trimEnd();
}

/** Prints one clear message on stderr, never a stack trace (NODE_DEBUG=anomalist shows it). Returns the exit code. */
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
