export { assessKeyValue } from './values.ts';
export { boundCase } from './lightweight.ts';
export { assessLists } from './lists.ts';
export { assessOwn } from './own.ts';
