/**
 * Lists the targets on which the page may run and replay. They are the server that the command line of `ui` named by
 * URL, or those that can be started here. The page knows only their names, never a URL as it was given.
 */
import { UsageError } from '../../../core/base/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import { DIALECTS, dialectFor, listServers } from '../../../dialects/index.ts';
import { openTarget } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import type { TargetChoice } from './page/messages.ts';

interface Row extends TargetChoice {
  /** `anomalist run` and similar commands take these arguments. */
  readonly args: readonly string[];
  readonly urls: readonly string[];
}

export class Targets {
  private readonly rows: readonly Row[];

  /** `target` names the first choice. */
  constructor(urls: readonly string[], target: string) {
    const servers = listServers().filter(({ available }) => available);
    const started = servers.flatMap(({ target: name, dialect }) => {
      const found = DIALECTS.find((each) => each.name === dialect);
      return found === undefined ? [] : [{ name, levels: levelsOf(found), byUrl: false, args: ['--target', name], urls: [] }];
    });
    const first = started.filter(({ name }) => name === target);
    if (urls.length === 0 && first.length === 0)
      throw new UsageError(
        `--target ${target}: it cannot be started here; expected one of ${started.map(({ name }) => name).join(', ')} (see: anomalist servers), or --url.`,
      );
    this.rows = [...byUrl(urls), ...first, ...started.filter(({ name }) => name !== target)];
  }

  list(): readonly TargetChoice[] {
    return this.rows.map(({ name, levels, byUrl: given }) => ({ name, levels, byUrl: given }));
  }

  /** Refuses names that the page did not get from here. */
  args(name: unknown): readonly string[] {
    return this.row(name).args;
  }

  levels(name: unknown): TargetChoice['levels'] {
    return this.row(name).levels;
  }

  open(name: unknown, signal: AbortSignal): Promise<Target> {
    const { urls, name: known } = this.row(name);
    return openTarget(urls, known, { signal, progress: () => {} });
  }

  private row(name: unknown): Row {
    const row = this.rows.find((each) => each.name === name);
    if (row === undefined)
      throw new UsageError(
        `There is no target ${JSON.stringify(name)} here; expected one of ${this.rows.map((each) => each.name).join(', ')}.`,
      );
    return row;
  }
}

function byUrl(urls: readonly string[]): readonly Row[] {
  const [first] = urls;
  if (first === undefined) return [];
  const dialect = dialectFor(first);
  const name = urls.map((url) => dialect.redact(url)).join(', ');
  return [{ name, levels: levelsOf(dialect), byUrl: true, args: urls.flatMap((url) => ['--url', url]), urls }];
}

function levelsOf({ levels }: Dialect): TargetChoice['levels'] {
  return levels.filter(({ aliasOf, offByDefault }) => aliasOf === undefined && offByDefault !== true).map(({ level }) => level);
}
