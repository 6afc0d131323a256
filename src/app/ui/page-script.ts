/**
 * Returns the page's script in one piece. It was built beside the program, or is bundled now if the program runs from
 * its sources.
 */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const BUILT = new URL('./ui-page.js', import.meta.url);
const SOURCE = new URL('./page/main.tsx', import.meta.url);

export async function pageScript(): Promise<string> {
  if (existsSync(BUILT)) return readFileSync(BUILT, 'utf8');
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ entryPoints: [fileURLToPath(SOURCE)], bundle: true, format: 'esm', write: false });
  return outputFiles[0]!.text;
}
