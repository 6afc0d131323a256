/**
 * An installed Chromium, headless, with a fresh profile and no network of its own: playwright-core drives it and brings no
 * browser along. `ANOMALIST_CHROMIUM` names another program than those on PATH.
 */
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** A machine that is busy takes its time; beyond that it hangs. */
export const LONGEST_MS = 600_000;

/** Its path, undefined where there is none. */
export function findChromium(): string | undefined {
  const given = process.env['ANOMALIST_CHROMIUM'];
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return [...(given === undefined ? [] : [given]), ...PROGRAMS.flatMap((name) => folders.map((folder) => join(folder, name)))].find(
    isProgram,
  );
}

export async function startChromium(program: string): Promise<Browser> {
  return chromium.launch({ executablePath: program, args: ARGS, timeout: LONGEST_MS });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
