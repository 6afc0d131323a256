/** The fields of any stored finding, from rounds or from an exploration. */
import type { Level, PromiseVerdict } from '../../../../core/index.ts';

export interface Stored {
  /** The key names it as long as the store exists. */
  readonly key: string;
  /** Number within its campaign, from 1, and of its file in an export. */
  readonly n: number;
  readonly campaign: string;
  readonly target: string;
  readonly dbms: string;
  /** The release in the server's own words. */
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** Equal for two releases that show the same. */
  readonly word: string;
}
