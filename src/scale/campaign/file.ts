/**
 * Reads a campaign's file: YAML, checked against docs/campaign.schema.json. An error names its line, what stands there
 * and what was expected. The file has no URL, so no credential comes into the store.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Ajv } from 'ajv';
import type { ErrorObject } from 'ajv';
import { LineCounter, isNode, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { InternalError, UsageError } from '../../../core/base/index.ts';
import { LEVELS, isLevel } from '../../../core/level/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { CatalogueName } from '../../../schema-gen/index.ts';
import type { Orders } from '../../explore/explore-program.ts';
import { workloadText } from '../../workload/file.ts';
import { PACKAGE } from '../../process/package-folder.ts';

export interface RunJob {
  readonly rounds: number;
  readonly slice: number;
  readonly mode?: 'stress' | 'schedule';
  readonly workload?: string;
  readonly sessions?: number;
  readonly transactions?: number;
  readonly scale?: number;
  readonly 'reduce-seconds'?: number;
}

export interface ExploreJob {
  readonly programs: number;
  readonly slice: number;
  readonly catalogue?: CatalogueName;
  readonly only?: readonly string[];
  readonly orders?: Orders;
  readonly workers?: number;
}

export type CampaignJob = { readonly run: RunJob } | { readonly explore: ExploreJob };

export type CampaignTarget = { readonly target: string } | { readonly 'url-from': string };

export interface CampaignFile {
  readonly name: string;
  readonly seed: number;
  readonly targets: readonly CampaignTarget[];
  readonly levels?: readonly Level[];
  readonly attempts?: number;
  readonly jobs: readonly CampaignJob[];
  /** A worker on another machine does not have the workload files. So their texts are here, by the words that name them. */
  readonly files?: Readonly<Record<string, string>>;
}

export function readCampaign(path: string): CampaignFile {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${path}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}); expected a campaign in YAML, as docs/CAMPAIGNS.md describes it.`,
    );
  }
  const campaign = parseCampaign(path, text);
  const files = filesOf(path, campaign);
  return Object.keys(files).length === 0 ? campaign : { ...campaign, files };
}

/** Paths are relative to the campaign's file. */
function filesOf(path: string, { jobs }: CampaignFile): Readonly<Record<string, string>> {
  const words = jobs.flatMap((job) => ('run' in job && job.run.workload?.endsWith('.sql') === true ? [job.run.workload] : []));
  return Object.fromEntries(words.map((word) => [word, workloadText(`${path}: workload ${word}`, resolve(dirname(path), word))]));
}

export function parseCampaign(path: string, text: string): CampaignFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0)
    refuse(
      path,
      document.errors.map(({ pos, message }) => ({ line: lines.linePos(pos[0]).line, words: `no YAML: ${message.split('\n')[0]!}` })),
    );
  const value: unknown = document.toJS();
  const lineOf = (at: readonly (string | number)[]): number => lineIn(document, lines, at);
  const validate = new Ajv({ allErrors: true, verbose: true }).compile<CampaignFile>(schema());
  if (!validate(value))
    refuse(
      path,
      (validate.errors ?? []).map((error) => ({ line: lineOf(placeOf(error)), words: wordsOf(error) })),
    );
  const campaign = value;
  const unknown = (campaign.levels ?? []).flatMap((level, i) =>
    isLevel(level)
      ? []
      : [
          {
            line: lineOf(['levels', i]),
            words: `levels: got ${JSON.stringify(level)}, expected one of ${LEVELS.map((row) => row.level).join(', ')}`,
          },
        ],
  );
  if (unknown.length > 0) refuse(path, unknown);
  return campaign;
}

interface Refusal {
  readonly line: number;
  readonly words: string;
}

function refuse(path: string, refused: readonly Refusal[]): never {
  const lines = refused.toSorted((a, b) => a.line - b.line).map(({ line, words }) => `  ${path}:${line}: ${words}`);
  throw new UsageError(`${path} is no campaign (docs/CAMPAIGNS.md):\n${[...new Set(lines)].join('\n')}`);
}

/** Returns the line of an error. A missing key has the line of its parent. */
function lineIn(document: Document, lines: LineCounter, at: readonly (string | number)[]): number {
  for (let depth = at.length; depth >= 0; depth--) {
    const node = document.getIn(at.slice(0, depth), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

function placeOf({ instancePath, params }: ErrorObject): readonly (string | number)[] {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((word) => (/^\d+$/.test(word) ? Number(word) : word.replaceAll('~1', '/').replaceAll('~0', '~')));
  const more = (params as { readonly additionalProperty?: string }).additionalProperty;
  return more === undefined ? path : [...path, more];
}

function wordsOf({ instancePath, keyword, message = '', params, data, parentSchema }: ErrorObject): string {
  const where = instancePath === '' ? 'the campaign' : instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'additionalProperties') {
    const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
    return `${where}: there is no ${JSON.stringify((params as { additionalProperty: string }).additionalProperty)} in it, expected ${known.join(', ')}`;
  }
  const allowed = (params as { readonly allowedValues?: readonly unknown[] }).allowedValues;
  const description = parentSchema?.['description'] as string | undefined;
  const expected = allowed === undefined ? message : `one of ${allowed.join(', ')}`;
  const got = keyword === 'required' ? '' : ` got ${JSON.stringify(data)},`;
  return `${where}:${got} expected: ${expected.replace(/^must /, '')}${description === undefined ? '' : `. ${description}`}`;
}

function schema(): object {
  const path = PACKAGE && join(PACKAGE.folder, 'docs', 'campaign.schema.json');
  if (path === undefined || !existsSync(path)) throw new InternalError('campaign.schema.json is not where it was installed');
  return JSON.parse(readFileSync(path, 'utf8')) as object;
}
