/** The head of a matrix and of an exploration: by what, when and on which server it was made. */
import type { OwnSetting } from '../core/index.ts';

export interface MeasuredTarget {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly target: string;
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  /** The settings in which a server that we started differs from its vendor's defaults. */
  readonly ownSettings?: readonly OwnSetting[];
}
