/** What a store tells of whatever was found, by rounds or by an exploration. */
import type { Level, PromiseVerdict } from '../../../../core/index.ts';

export interface Stored {
  /** Names it as long as the store is there. */
  readonly key: string;
  /** Within its campaign, from 1; that of its file in an export. */
  readonly n: number;
  readonly campaign: string;
  readonly target: string;
  readonly dbms: string;
  /** In the server's own words. */
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** The same for two releases that show the same. */
  readonly word: string;
}
