/**
 * Running servers that environment variables name, for test suites and service containers: ANOMALIST_TIDB_URL and
 * similar ones, with several endpoints separated by blanks. Starting and stopping one does nothing.
 */
import { UsageError } from '../../core/base/index.ts';
import { DIALECTS } from '../registry.ts';
import type { ServerListing } from './listing.ts';

/** One row for each variable that is set, for example `tidb@url`. */
export function givenByUrl(): readonly ServerListing[] {
  return DIALECTS.flatMap(({ name: dialect }) => {
    const variable = `ANOMALIST_${dialect.toUpperCase()}_URL`;
    const urls = (process.env[variable] ?? '').split(/\s+/).filter((url) => url !== '');
    const [url] = urls;
    if (url === undefined) return [];
    return {
      target: `${dialect}@url`,
      dialect,
      version: '',
      available: true,
      reason: `given by ${variable}`,
      start: async (options = {}) => {
        if (options.keep) throw new UsageError(`${dialect}@url runs already, it was given by ${variable}: there is nothing to start`);
        return { url, urls, version: '', pid: 0, pids: [], ownSettings: [], stop: async () => {}, kill: () => {}, log: () => '' };
      },
    };
  });
}
