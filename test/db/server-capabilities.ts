/** What a server of a suite can do, where that differs from release to release. */
import type { Capabilities, Dialect } from '../../core/index.ts';

export async function capabilitiesOf(dialect: Dialect, url: string): Promise<Capabilities> {
  if (dialect.capabilitiesOf === undefined) return dialect.capabilities;
  const connection = await dialect.connect(url, {});
  try {
    return dialect.capabilitiesOf((await dialect.facts(connection)).make);
  } finally {
    await connection.end();
  }
}
