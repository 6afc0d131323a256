/** What every statement generator is handed: the options, what there is to name, and what its transaction returns to. */
import type { GenerateOptions } from './options.ts';
import type { TableInfo, ViewInfo } from './table-info.ts';
import type { Focus } from './focus.ts';

export interface Place {
  readonly options: GenerateOptions;
  readonly tables: readonly TableInfo[];
  readonly views: readonly ViewInfo[];
  readonly focus: Focus;
}
