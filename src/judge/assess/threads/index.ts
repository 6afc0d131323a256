export { checkPlumeFile } from './check-plume-file.ts';
