export { judgeKeyValue } from './judge.ts';
export { boundCase } from './lightweight.ts';
export { judgeLists } from './lists.ts';
