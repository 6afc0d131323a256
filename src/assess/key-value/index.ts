export { judgeKeyValue } from './judge.ts';
export { boundCase } from './lightweight.ts';
export { judgeLists } from './lists.ts';
export { keyValueOperation } from './operation.ts';
export type { KeyValueOperation } from './operation.ts';
