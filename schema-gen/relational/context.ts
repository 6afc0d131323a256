/** The input of every statement generator: the options, the names in scope, and the focus of its transaction. */
import type { GenerateOptions } from './options.ts';
import type { TableInfo, ViewInfo } from './table-info.ts';
import type { Focus } from './focus.ts';

export interface Place {
  readonly options: GenerateOptions;
  readonly tables: readonly TableInfo[];
  readonly views: readonly ViewInfo[];
  readonly focus: Focus;
}
