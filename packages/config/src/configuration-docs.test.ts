import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expandEnvironment } from './load/expand-environment.ts';
import { loadConfig } from './load/load-config.ts';
import { matchPattern } from './patterns/match-pattern.ts';
import { capabilitiesOfKind, formatCredentials, KINDS, UPSTREAM_KINDS } from './schema/kinds.ts';
import { IdentitySchema } from './schema/identity/identity-schema.ts';
import { QuirksSchema } from './schema/quirks-schema.ts';
import { SANDBOX } from './schema/sandbox.ts';
import { ConfigSchema } from './schema/schema.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const PAGE = path.join(ROOT, 'docs/operate/configuration.md');
const docs = await readFile(PAGE, 'utf8');

type Shape = z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined;

/** Builds the expected table rows (one per schema field) with defaults and descriptions. */
function tableRows(shape: Shape, field: string, required: boolean): string[] {
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
  const items = shape.items === undefined || Array.isArray(shape.items) ? undefined : shape.items;
  // A section with a description has one row here. Its fields have a separate table.
  const documented = field !== '' && shape.description !== undefined;
  if (shape.properties !== undefined && !documented)
    return Object.entries(shape.properties).flatMap(([name, inner]) =>
      tableRows(inner, field === '' ? name : `${field}.${name}`, shape.required?.includes(name) ?? false),
    );
  if (typeof shape.additionalProperties === 'object' && !documented)
    return tableRows(shape.additionalProperties, `${field}.NAME`, false);
  if (typeof items === 'object' && items.properties !== undefined) return tableRows(items, `${field}[]`, false);
  const fallback = shape.default === undefined ? (required ? 'required' : '–') : `\`${JSON.stringify(shape.default)}\``;
  return [`| \`${field}\` | ${fallback.replaceAll('"', '')} | ${shape.description} |`];
}

/** Checks whether a line is a table row that documents a field. */
function isRow(line: string): boolean {
  return /^\| `[a-z_-]+[.[]/.test(line);
}

/** Returns the table rows below a heading that start with a name in backticks. */
function rowsBelow(heading: string): string[] {
  const [section = ''] = (docs.split(`\n## ${heading}\n`)[1] ?? '').split('\n## ');
  return section.split('\n').filter((line) => line.startsWith('| `'));
}

describe('docs/operate/configuration.md', () => {
  it('lists every field with its default and description, and no other', async () => {
    const lines = docs.split('\n');
    const expected = [
      ...tableRows(z.toJSONSchema(ConfigSchema, { io: 'input' }), '', false),
      ...IdentitySchema.options.flatMap((schema) => {
        const { properties: { type, ...properties } = {}, required } = z.toJSONSchema(schema, { io: 'input' });
        return typeof type === 'object' ? tableRows({ properties, required }, String(type.const), false) : [];
      }),
      ...tableRows(z.toJSONSchema(QuirksSchema, { io: 'input' }), 'quirks', false),
    ];
    if (process.env['SLUICE_GOLDEN'] === 'write') {
      const rowOf = new Map(expected.map((row) => [row.split('|', 2)[1], row]));
      const written = lines.map((line) => (isRow(line) ? (rowOf.get(line.split('|', 2)[1]) ?? line) : line));
      await writeFile(PAGE, written.join('\n'));
      return;
    }
    expect(lines.filter(isRow)).toEqual(expected);
  });

  it('lists every well-known vendor with its variable, upstreams, and models, and no other', () => {
    const rows = KINDS.vendors.map(({ upstreams, models }) => {
      const unset = expandEnvironment(upstreams, {}).unset.map(({ variable }) => `\`${variable}\``);
      const variables = [...new Set(unset)].join(' and ');
      const names = models.flatMap(({ routes }) => routes.map(({ upstream }) => upstream));
      const documented = [...new Set(names)].map((name) => `\`${name}\` (${upstreams[name]?.kind})`).join(', ');
      return `| ${variables} | ${documented} | ${models.map(({ id }) => `\`${id}\``).join(' ')} |`;
    });
    expect(rowsBelow('Well-known vendors')).toEqual(rows);
  });

  it('lists the capabilities and credentials of every upstream kind', () => {
    const documented = rowsBelow('Kinds of upstream').map((row) => {
      const [kind, , , makes, credential] = row.slice('| '.length, -' |'.length).split(' | ');
      return [kind, makes, credential].join(' | ');
    });
    const known = UPSTREAM_KINDS.map(
      (kind) => `\`${kind}\` | ${capabilitiesOfKind(kind).join(', ')} | ${formatCredentials(kind)}`,
    );
    expect(documented.toSorted()).toEqual(known.toSorted());
  });

  it('lists every sandbox model with its endpoint and vendor', () => {
    const rows = SANDBOX.models.flatMap(({ id, routes, capabilities }) =>
      routes.map(({ upstream, model }) => {
        const kind = UPSTREAM_KINDS.find((one) => one === SANDBOX.upstreams[upstream]?.kind);
        const served = capabilities ?? (kind ? capabilitiesOfKind(kind) : []);
        return `| \`${id}\` | ${served.join(', ')} | \`${upstream}\` (${kind}) | \`${model}\` |`;
      }),
    );
    expect(rowsBelow('Without a file')).toEqual(rows);
  });

  it('lists every environment variable that is read', async () => {
    const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
    );
    const sources = await Promise.all(files.map((file) => readFile(path.join(import.meta.dirname, file), 'utf8')));
    const variables = new Set(sources.join('\n').match(/\b(?:SLUICE_[A-Z_]+|REDIS_URL)\b/g));
    expect([...variables].filter((variable) => !docs.includes(`| \`${variable}\` |`))).toEqual([]);
    expect(variables.size).toBeGreaterThan(5);
  });
});

const SHOWN = [
  'server',
  'redis',
  'timeouts',
  'polling',
  'tasks',
  'limits',
  'responses',
  'routing',
  'download',
  'ledger',
  'log',
] as const;

describe('sluice.example.yaml', () => {
  const VARIABLES = [
    'AWS_BEARER_TOKEN_BEDROCK',
    'OPENAI_API_KEY',
    'ANTHROPIC_API_KEY',
    'GEMINI_API_KEY',
    'VIDEO_API_KEY',
    'KLING_AK',
    'KLING_SK',
    'VOLC_AK',
    'VOLC_SK',
    'DASHSCOPE_API_KEY',
    'ARK_API_KEY',
    'MINIMAX_API_KEY',
    'VIDU_API_KEY',
    'RUNWAYML_API_SECRET',
    'FAL_KEY',
    'REPLICATE_API_TOKEN',
    'COHERE_API_KEY',
    'JINA_API_KEY',
  ];
  const SLUICE_CONFIG = path.join(ROOT, 'sluice.example.yaml');

  it('is valid once its variables are set', async () => {
    const credentials = Object.fromEntries(VARIABLES.map((variable) => [variable, 'k']));
    const env = { SLUICE_CONFIG, SLUICE_KEY: 'sk-example', ...credentials };
    const config = await loadConfig({ env, cwd: ROOT });
    expect(new Set(Object.values(config.upstreams).map(({ kind }) => kind))).toEqual(new Set(UPSTREAM_KINDS));
    const routed = new Set(config.models.flatMap(({ routes }) => routes.map(({ upstream }) => upstream)));
    expect(routed).toEqual(new Set(Object.keys(config.upstreams)));
    expect(config.disabledUpstreams).toEqual([]);
  });

  it('has no pattern that is hidden by an earlier pattern', async () => {
    const credentials = Object.fromEntries(VARIABLES.map((variable) => [variable, 'k']));
    const env = { SLUICE_CONFIG, SLUICE_KEY: 'sk-example', ...credentials };
    const ids = (await loadConfig({ env, cwd: ROOT })).models.map(({ id }) => id);
    const patterns = ids.filter((id) => id.includes('*'));
    const hidden = patterns.filter((id, index) => patterns.slice(0, index).some((other) => matchPattern(other, id)));
    expect([patterns.length > 5, hidden]).toEqual([true, []]);
  });

  it('starts with a key only, its upstreams disabled', async () => {
    const config = await loadConfig({ env: { SLUICE_CONFIG, SLUICE_KEY: 'sk-example' }, cwd: ROOT });
    // If both variables of a key pair are unset, only the first is reported.
    const documented = VARIABLES.filter((variable) => !variable.endsWith('_SK'));
    expect(new Set(config.disabledUpstreams.map(({ variable }) => variable))).toEqual(new Set(documented));
    expect(Object.keys(config.upstreams)).toEqual(['ollama', 'tei']);
    expect(config.models.map((model) => model.id)).toEqual(['local/*', 'bge-reranker']);
  });

  it('shows the real defaults in its optional sections', async () => {
    const shown = await loadConfig({ env: { SLUICE_CONFIG, SLUICE_KEY: 'sk-example' }, cwd: ROOT });
    const defaults = ConfigSchema.parse({});
    for (const section of SHOWN) expect(shown[section]).toEqual(defaults[section]);
  });
});
