/** Ports that are free now, all different: every probe stays open until all are open. */
import type { Server } from 'node:net';
import { createServer } from 'node:net';

export async function freePorts(count: number): Promise<readonly number[]> {
  const probes = await Promise.all(Array.from({ length: count }, () => listen(0)));
  const ports = probes.map(portOf);
  await Promise.all(probes.map(close));
  return ports;
}

/** Whether a server may listen there. */
export async function isFree(port: number): Promise<boolean> {
  try {
    await close(await listen(port));
    return true;
  } catch {
    return false;
  }
}

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(port, '127.0.0.1', () => resolve(probe));
  });
}

function portOf(probe: Server): number {
  const address = probe.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

function close(probe: Server): Promise<void> {
  return new Promise((resolve) => {
    probe.close(() => resolve());
  });
}
