export { packageSource, whyNoPackages } from './apt.ts';
export { MARIADB_PACKAGES, MYSQL_PACKAGES } from './packages.ts';
export type { DebianServer } from './packages.ts';
export { cachedTree, getTree, treeFolder } from './tree.ts';
export type { DebianTree } from './tree.ts';
