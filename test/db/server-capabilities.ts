/** What a server of a suite can do, where that differs from release to release, or hangs on rights and settings. */
import type { Capabilities, Dialect } from '../../core/dialect/index.ts';
import { allowedOn } from '../../src/explore/allowed.ts';

export async function capabilitiesOf(dialect: Dialect, url: string): Promise<Capabilities> {
  const { capabilities } = await allowedOn(dialect, url, await ofRelease(dialect, url));
  return capabilities;
}

async function ofRelease(dialect: Dialect, url: string): Promise<Capabilities> {
  if (dialect.capabilitiesOf === undefined) return dialect.capabilities;
  const connection = await dialect.connect(url, {});
  try {
    return dialect.capabilitiesOf((await dialect.facts(connection)).make);
  } finally {
    await connection.end();
  }
}
