/** Before the database tests: which servers they run on, and which are left out and why, a line each. */
import { availableServers } from '../../dialects/index.ts';

export function setup(): void {
  const { chosen, skipped } = availableServers();
  console.log(
    `Database servers: ${chosen.map(({ target, version }) => `${target}${version === '' ? '' : ` (${version})`}`).join(', ') || 'none'}`,
  );
  for (const { target, why } of skipped) console.log(`SKIPPED server ${target}: ${why}`);
}
