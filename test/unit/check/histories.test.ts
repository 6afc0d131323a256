/**
 * Histories with known verdicts, beside the repository in ../shared/histories where they exist. The index there is the
 * expectation: its table and its sentence on the AWDIT folder are read, nothing is copied here.
 */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkAwdit, checkLists, checkStrong, detectFormat, listAppendToEvents } from '../../../check/index.ts';
import type { HistoryFile } from '../../../check/index.ts';
import { HistoryBuilder } from '../../../core/history/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { Answer } from '../../../core/verdict/index.ts';
import type { KvHistory } from '../../../core/kv/index.ts';
import { inferDependencies } from '../../../infer/index.ts';

const ROOT = fileURLToPath(new URL('../../../../shared/histories', import.meta.url));
const LEVELS = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable'] as const;

if (!fs.existsSync(path.join(ROOT, 'INDEX.md'))) {
  console.warn('SKIPPED: histories.test.ts needs ../shared/histories with its INDEX.md, which is not there');
  describe.skip('histories with known verdicts (../shared/histories is missing)', () => {
    test('needs ../shared/histories', () => undefined);
  });
} else {
  describe('histories with known verdicts', () => {
    const index = fs.readFileSync(path.join(ROOT, 'INDEX.md'), 'utf8');
    const expected = [...authored(index), ...awdit(index)];

    test('the index names every history that is there, and the other way round', () => {
      const there = historiesUnder('authored').concat(historiesUnder('awdit')).toSorted();
      expect(expected.map((row) => row.name).toSorted()).toEqual(there);
      expect(expected.length).toBeGreaterThan(25);
    });

    for (const { name, verdicts } of expected) {
      test(`${name} is ${verdicts.map((verdict, i) => `${LEVELS[i]} ${verdict}`).join(', ')}`, () => {
        const history = readKv(name);
        expect(LEVELS.map((level) => answerOf(history, level))).toEqual(verdicts);
        // a violated history has no order at all, so none that keeps real time either
        if (verdicts[4] === false) expect(answerOf(history, 'strict-serializable')).toBe(false);
      });
    }

    test('transaction ids that come back in another session are read as global, with a warning', () => {
      const { notes } = readKv('authored/trap-txn-id-reused-across-sessions.txt');
      expect(notes.map(({ code }) => code)).toContain('transaction-id-reused');
    });

    test('elle/paper-example.edn has anomalies', () => {
      const verdict = assessLists('elle/paper-example.edn');
      expect(verdict.anomalies.length).toBeGreaterThan(0);
      expect(verdict.levels.find((row) => row.level === 'serializable')?.answer).toBe(false);
    });

    test('elle/si-without-g-single.edn violates repeatable read by a G2-item and keeps snapshot isolation', () => {
      const verdict = assessLists('elle/si-without-g-single.edn');
      expect(verdict.anomalies.map((anomaly) => anomaly.class)).toContain('G2-item');
      const answers = Object.fromEntries(verdict.levels.map((row) => [row.level, row.answer]));
      expect(answers['repeatable-read']).toBe(false);
      expect(answers['snapshot-isolation']).toBe(true);
    });
  });
}

interface Expected {
  readonly name: string;
  readonly verdicts: readonly boolean[];
}

/** `| a, b | F F T T T |` rows of the table; a long name may carry a remark. */
function authored(index: string): readonly Expected[] {
  const rows: Expected[] = [];
  for (const line of index.split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim());
    if (cells.length !== 4 || cells[1] === 'file' || !/[TF]/.test(cells[2]!)) continue;
    const global = cells[2]!.startsWith('global ids: all F');
    const letters = global ? ['F', 'F', 'F', 'F', 'F'] : cells[2]!.split(/\s+/);
    if (letters.length !== 5 || !letters.every((letter) => /^[TF]$/.test(letter))) continue;
    for (const part of cells[1]!.replace(/\s*\([^)]*\)/g, '').split(/,\s*/)) {
      const folder = part.split('/')[0]!;
      const name = fs.existsSync(path.join(ROOT, 'authored', folder))
        ? `authored/${part.includes('*') ? folder : part}`
        : `authored/${part}.txt`;
      rows.push({ name, verdicts: letters.map((letter) => letter === 'T') });
    }
  }
  return rows;
}

/** `causal/fully-ser T T T T T; causal/long-fork and lost-update T T T F F; read-atomic/* ...; none/hb-cycle all F` */
function awdit(index: string): readonly Expected[] {
  const sentence = /^awdit\/.*$/m.exec(index)?.[0] ?? '';
  const rows: Expected[] = [];
  for (const match of sentence.matchAll(/([a-z-]+\/[a-z*-]+(?: and [a-z-]+)*) (all F|[TF](?: [TF]){4})/g)) {
    const letters = match[2] === 'all F' ? ['F', 'F', 'F', 'F', 'F'] : match[2]!.split(' ');
    const [first, ...rest] = match[1]!.split(' and ');
    const folder = first!.split('/')[0]!;
    const files = first!.endsWith('*')
      ? fs.readdirSync(path.join(ROOT, 'awdit', folder))
      : [`${first!.split('/')[1]}.txt`, ...rest.map((other) => `${other}.txt`)];
    for (const file of files) rows.push({ name: `awdit/${folder}/${file}`, verdicts: letters.map((letter) => letter === 'T') });
  }
  return rows;
}

/** Files, and folders of logs as one; licences and indexes are no histories. */
function historiesUnder(folder: string): readonly string[] {
  return fs.readdirSync(path.join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return /^[A-Z]+(\.md)?$/.test(entry.name) ? [] : [name];
    return fs.readdirSync(path.join(ROOT, name)).some((file) => file.endsWith('.log')) ? [name] : historiesUnder(name);
  });
}

function filesOf(name: string): readonly HistoryFile[] {
  const at = path.join(ROOT, name);
  const files = fs.statSync(at).isDirectory() ? fs.readdirSync(at).map((file) => path.join(at, file)) : [at];
  return files.map((file) => ({ name: path.basename(file), bytes: new Uint8Array(fs.readFileSync(file)) }));
}

function readKv(name: string): KvHistory {
  const parsed = detectFormat(filesOf(name)).read(filesOf(name));
  if (parsed.kind !== 'kv') throw new Error(`${name} is a list history`);
  return parsed.history;
}

function answerOf(history: KvHistory, level: Level): Answer {
  if (level === 'rc' || level === 'ra' || level === 'cc') return checkAwdit(history, level).answer;
  if (level === 'snapshot-isolation' || level === 'serializable' || level === 'strict-serializable')
    return checkStrong(history, [level])[0]!.answer;
  throw new Error(level);
}

function assessLists(name: string): ReturnType<typeof checkLists> {
  const parsed = detectFormat(filesOf(name)).read(filesOf(name));
  if (parsed.kind !== 'list') throw new Error(`${name} is a register history`);
  const { round, events, late } = listAppendToEvents(parsed.history);
  const builder = new HistoryBuilder(round);
  for (const event of events) builder.add(event);
  return checkLists(inferDependencies(builder.finish()), late);
}
