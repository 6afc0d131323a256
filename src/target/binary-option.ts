/**
 * `--binary PATH` beside `--target`: the server is started from the user's own installation. The path becomes part of the
 * target's word, so that every command of a report starts the same server.
 */
import { resolve } from 'node:path';
import { UsageError } from '../../core/index.ts';

/** The word behind a target; no DBMS has a setting of this name. */
export const BINARY_WORD = 'binary';

export const BINARY = "start the target from your own build: the folder of its installation, or the server's program in it";

interface Named {
  readonly url?: string | readonly string[] | undefined;
  readonly binary?: string | undefined;
}

/** Returns `postgres@18,binary=/opt/pg-patched` for `--target postgres@18 --binary /opt/pg-patched`. */
export function withBinary(target: string, { url, binary }: Named): string {
  if (binary === undefined) return target;
  if (url !== undefined) throw new UsageError('--binary starts a server and --url names one that runs; expected one of them.');
  if (target.split(',').some((part) => part.startsWith(`${BINARY_WORD}=`)))
    throw new UsageError(`--target ${target} and --binary ${binary} name two programs; expected one of them.`);
  return `${target},${BINARY_WORD}=${binaryPath(binary)}`;
}

/** Returns the absolute path, because a printed command may be run elsewhere. */
export function binaryPath(path: string): string {
  const full = resolve(path);
  if (path === '')
    throw new UsageError("--binary: the path is empty; expected the folder of an installation, or the server's program in it.");
  if (full.includes(','))
    throw new UsageError(`--binary ${path}: a comma ends the path behind a target; make a link to it whose path has none, and name that.`);
  return full;
}
