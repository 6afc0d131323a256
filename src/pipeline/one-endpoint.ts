/** A target of several endpoints as a target of one, for what runs on one server. */
import { mainEndpoint } from '../execute/index.ts';
import { shellWord } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { statesOf } from './endpoints.ts';

/** The first one that takes writes, as the rounds made their schemas there. */
export async function oneEndpoint(target: Target, byUrl: boolean): Promise<Target> {
  if (target.urls.length === 1) return target;
  const url = target.urls[Math.max(0, mainEndpoint(await statesOf(target)))]!;
  const shown = target.dialect.redact(url);
  return byUrl ? { ...target, name: shown, urls: [url], words: `--url ${shellWord(shown)}` } : { ...target, urls: [url] };
}
