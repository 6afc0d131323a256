/**
 * `anomalist servers`: which database servers can be started on this machine, and where not, why.
 */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../core/index.ts';
import { listServers } from '../../dialects/index.ts';

export function serversCommand(finish: (exit: number) => void): Command {
  const command = new Command('servers');
  command
    .description('List the database servers that can be started here (for run --target).')
    .option('--json', 'one JSON object on stdout', false)
    .action((options) => {
      const servers = listServers().map(({ target, dialect, version, available, reason }) => ({ target, dialect, version, available, reason }));
      if (options.json) process.stdout.write(`${JSON.stringify({ servers })}\n`);
      else for (const { target, version, available, reason } of servers) process.stdout.write(`${target.padEnd(14)}${available ? `ready (${version}), ${reason}` : `not here: ${reason}`}\n`);
      finish(EXIT.clean);
    });
  return command;
}
