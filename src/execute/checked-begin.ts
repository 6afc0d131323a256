/** BEGIN at a level. The server's word for the level in force decides: no verdict rests on a level that was only asked for. */
import { ForeignSession, LevelNotInForce } from '../../core/index.ts';
import type { Begun, Connection, DialectLevel } from '../../core/index.ts';

/** Throws as `expectLevel` does. */
export async function checkedBegin(connection: Connection, level: DialectLevel, words?: string): Promise<void> {
  expectLevel(await connection.begin(level, words), level);
}

/**
 * Throws ForeignSession where other clients may share the session. Throws LevelNotInForce where a proxy, a pooler or a
 * server setting overrides the level. `session`: its name in messages.
 */
export function expectLevel({ inForce, foreign }: Begun, level: DialectLevel, session?: string): void {
  const where = session === undefined ? '' : `${session}: `;
  if (foreign !== undefined)
    throw new ForeignSession(
      `${where}a transaction ran in ${foreign}: refused, as nothing that such sessions show can be relied on; ` +
        'expected a session of the server for each connection; connect to the server directly, or to a pooler whose pool_mode is session',
    );
  if (inForce.toLowerCase() !== level.inForce)
    throw new LevelNotInForce(
      `${where}the level in force is '${inForce.toLowerCase()}', asked for '${level.inForce}': refused; a proxy, a pooler or a server setting overrides it`,
    );
}

/** Neither the server nor the statement is wrong: the connection does not give what the driver needs. */
export function isWrongSession(error: unknown): error is ForeignSession | LevelNotInForce {
  return error instanceof ForeignSession || error instanceof LevelNotInForce;
}
