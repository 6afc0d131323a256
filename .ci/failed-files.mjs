// The test files of vitest's JSON report that failed, a line each. None where so many failed that it was not by chance, or where
// the runner failed without a file: a second run would prove nothing.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const MOST = 6;

const text = readFileSync(process.argv[2], 'utf8');
const failed = text === '' ? [] : JSON.parse(text).testResults.filter((file) => file.status === 'failed');
if (failed.length <= MOST) for (const { name } of failed) console.log(relative(process.cwd(), name));
