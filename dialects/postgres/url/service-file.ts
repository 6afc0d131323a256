/** The connection service file (libpq's manual, 32.17): sections of `name=value` lines, one for each service. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { UsageError } from '../../../core/base/index.ts';
import type { Words } from './read-url.ts';
import { isWord } from './read-url.ts';

/** The settings of a service. Throws UsageError if no file has it. */
export function readService(name: string, env: NodeJS.ProcessEnv): Words {
  const files = serviceFiles(env);
  for (const file of files) {
    const section = existsSync(file) ? sectionOf(readFileSync(file, 'utf8'), name) : undefined;
    if (section !== undefined) return section;
  }
  throw new UsageError(
    `there is no service ${JSON.stringify(name)} in ${files.join(' or ')}; expected a section [${name}] there, or another name in service= or PGSERVICE`,
  );
}

/** The user's own file comes first. PGSYSCONFDIR names the folder of the system's. */
function serviceFiles(env: NodeJS.ProcessEnv): readonly string[] {
  const system = env['PGSYSCONFDIR'];
  return [env['PGSERVICEFILE'] || join(homedir(), '.pg_service.conf'), ...(system ? [join(system, 'pg_service.conf')] : [])];
}

function sectionOf(text: string, name: string): Words | undefined {
  let found: Record<string, string> | undefined;
  let inside = false;
  for (const line of text.split(/\r?\n/).map((each) => each.trim())) {
    if (line === '' || line.startsWith('#')) continue;
    if (line.startsWith('[')) {
      if (inside) break;
      inside = line === `[${name}]`;
      if (inside) found = {};
      continue;
    }
    const at = line.indexOf('=');
    const key = line.slice(0, Math.max(at, 0)).trim();
    // The file may hold settings for other programs (application_name, ...), which are ignored.
    if (inside && found && isWord(key)) found[key] ??= line.slice(at + 1).trim();
  }
  return found;
}
