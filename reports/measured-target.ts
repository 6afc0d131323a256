/** The head of a matrix and of an exploration: tool, time and server. */
import type { OwnSetting } from '../core/index.ts';

export interface MeasuredTarget {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a started server differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
}
