/**
 * Writes plume text of mini-transactions to stdout, however many, in constant memory (bench/kv-file.ts says how they run);
 * with `skew` the last two are a write skew.
 *     node dist/bench/kv-pipe.js TRANSACTIONS [skew]
 */
import { MINI } from './cases.ts';
import { writeKv } from './kv-file.ts';

const [, , transactions = '1000000', skew] = process.argv;
/** Not process.stdout.fd: whoever asks for that makes a pipe one that does not wait. */
const STDOUT = 1;
writeKv(STDOUT, { ...MINI, transactions: Number(transactions), skew: skew === 'skew' });
