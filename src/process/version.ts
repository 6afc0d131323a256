/** The program's own name and version, for records and `--version`. */
import { readFileSync } from 'node:fs';

function readVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8');
      const parsed = JSON.parse(text) as { name?: string; version?: string };
      if (parsed.name === 'anomalist' && parsed.version) return parsed.version;
    } catch {
      // from source it is one folder up, from dist two
    }
  }
  return '0.0.0';
}

export const VERSION: string = readVersion();
