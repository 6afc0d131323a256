/**
 * Lists every command in the order of `--help`. A row has everything that `--help` shows, so that help and `--version`
 * load no command. Loading all their modules takes half a second.
 */
import type { CommandUnknownOpts } from '@commander-js/extra-typings';

type MakeCommand = (finish: (exit: number) => void) => CommandUnknownOpts;

export interface CommandRow {
  /** Its options and arguments, as commander writes them after the name. */
  readonly takes: string;
  readonly says: string;
  readonly load: () => Promise<MakeCommand>;
}

export const COMMANDS: Readonly<Record<string, CommandRow>> = {
  run: {
    takes: '[options]',
    says: 'Generate transactions, run them on a server, report every isolation anomaly.',
    load: async () => (await import('./run.ts')).runCommand,
  },
  explore: {
    takes: '[options] [file]',
    says: 'Run every order of small programs on a server; report what no serial order of their transactions explains.',
    load: async () => (await import('./explore.ts')).exploreCommand,
  },
  replay: {
    takes: '[options] <path>',
    says: 'Execute a finding again, on any target, or a corpus of them: what occurs where.',
    load: async () => (await import('./replay.ts')).replayCommand,
  },
  verify: {
    takes: '[options] <files...>',
    says: 'Derive every edge of a finding again from the raw observations in its file.',
    load: async () => (await import('./verify.ts')).verifyCommand,
  },
  check: {
    takes: '[options] <path>',
    says: 'Check a recorded history at any isolation level.',
    load: async () => (await import('./check.ts')).checkCommand,
  },
  convert: {
    takes: '[options] <from> <to>',
    says: 'Write a history in another format.',
    load: async () => (await import('./convert.ts')).convertCommand,
  },
  stats: {
    takes: '[options] <path>',
    says: 'Count what is in a key-value history.',
    load: async () => (await import('./stats.ts')).statsCommand,
  },
  generate: {
    takes: '[options] <out>',
    says: 'Make a key-value history of a simulated execution, consistent or with one planted anomaly.',
    load: async () => (await import('./generate.ts')).generateCommand,
  },
  campaign: {
    takes: '',
    says: 'Runs for many workers: start one, see how far they are, stop it.',
    load: async () => (await import('./campaign.ts')).campaignCommand,
  },
  worker: {
    takes: '[options]',
    says: 'Do slices of campaigns, one after the other.',
    load: async () => (await import('./worker.ts')).workerCommand,
  },
  merge: {
    takes: '[options] <out...>',
    says: 'Add up what several runs found, as the shards of one run: one report of many folders.',
    load: async () => (await import('./merge.ts')).mergeCommand,
  },
  matrix: {
    takes: '[options]',
    says: 'Try every phenomenon at every level by canonical schedules: what occurs, against what the vendor promises.',
    load: async () => (await import('./matrix.ts')).matrixCommand,
  },
  compare: {
    takes: '[options]',
    says: 'Run the same programs in the same orders on several servers; report what differs, with a reproduction of each.',
    load: async () => (await import('./compare.ts')).compareCommand,
  },
  bisect: {
    takes: '[options]',
    says: 'Find the first release that differs: the same programs on two releases, then on those between them.',
    load: async () => (await import('./bisect.ts')).bisectCommand,
  },
  shell: {
    takes: '[options] [fixture]',
    says: 'Step two to four sessions on a server by hand: who waits, what each sees, what that makes of isolation.',
    load: async () => (await import('./shell.ts')).shellCommand,
  },
  import: {
    takes: '[options]',
    says: 'Draft a workload file: its schema from a live database, its transactions from a log. To be completed by hand.',
    load: async () => (await import('./import.ts')).importCommand,
  },
  servers: {
    takes: '[options]',
    says: 'List the database servers that can be started here (for run --target); start and stop one that stays.',
    load: async () => (await import('./servers.ts')).serversCommand,
  },
  ui: {
    takes: '[options] [out]',
    says: 'A page on this machine: follow a run, look at earlier ones, replay and reduce what they found.',
    load: async () => (await import('./ui.ts')).uiCommand,
  },
};
