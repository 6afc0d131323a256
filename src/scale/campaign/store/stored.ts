/** Any stored finding has these fields, whether rounds or an exploration found it. */
import type { Level, PromiseVerdict } from '../../../../core/level/index.ts';

export interface Stored {
  /** The key names it as long as the store exists. */
  readonly key: string;
  /** The finding has this number in its campaign, from 1. Its file in an export has the same. */
  readonly n: number;
  readonly campaign: string;
  readonly target: string;
  readonly dbms: string;
  /** The server describes its release so. */
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** The word is equal for two releases that show the same. */
  readonly word: string;
}
