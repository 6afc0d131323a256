/** Turns a target of several endpoints into a target of one, for work that runs on one server. */
import { mainEndpoint } from '../execute/index.ts';
import { shellWord } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { statesOf } from './endpoints.ts';

/** Takes the first endpoint that takes writes, because the rounds made their schemas there. */
export async function oneEndpoint(target: Target, byUrl: boolean): Promise<Target> {
  if (target.urls.length === 1) return target;
  const url = target.urls[Math.max(0, mainEndpoint(await statesOf(target)))]!;
  const shown = target.dialect.redact(url);
  return byUrl ? { ...target, name: shown, urls: [url], words: `--url ${shellWord(shown)}` } : { ...target, urls: [url] };
}
