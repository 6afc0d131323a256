/** Makes the page from its parts, and the server that answers for them. */
import type { CampaignStore } from './campaign-store.ts';
import type { OutFolder } from './out-folder.ts';
import { PARTS } from './parts.ts';
import { RunLines } from './run-lines.ts';
import { startUiServer } from './server.ts';
import type { Targets } from './targets.ts';

export interface UiOptions {
  readonly out: OutFolder;
  readonly targets: Targets;
  /** Holds an open store of campaigns, which is closed with the page. */
  readonly store?: CampaignStore | undefined;
  /** Port 0 chooses any free port. */
  readonly port: number;
  /** The signal aborts when the page ends. Work in progress then ends in order. */
  readonly signal: AbortSignal;
}

export interface Ui {
  /** The URL contains the token. */
  readonly url: string;
  /** Returns the work in progress, such as `a run` or `a replay`. */
  busy(): readonly string[];
  close(): Promise<void>;
}

export async function startUi({ out, targets, store, port, signal }: UiOptions): Promise<Ui> {
  const context = { out, runs: new RunLines(out), targets, store, signal };
  const parts = PARTS.map((make) => make(context));
  const routes = parts.flatMap((part) => part.routes);
  const server = await startUiServer(routes, port);
  return {
    url: server.url,
    busy: () => parts.flatMap((part) => part.busy?.() ?? []),
    close: async () => {
      for (const part of parts) await part.close?.();
      await server.close();
    },
  };
}
