import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { expandEnvironment } from './expand-environment.ts';
import { loadConfig } from './load-config.ts';
import { UPSTREAM_KINDS } from './upstream-schema.ts';
import { WELL_KNOWN_VENDORS } from './well-known-vendors.ts';
import { QuirksSchema } from './quirks-schema.ts';
import { ConfigSchema } from './schema.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');
const docs = await readFile(path.join(ROOT, 'docs/configuration.md'), 'utf8');

type Shape = z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined;

/** The lines that the table must have: one for each field of the schema, with its default and its meaning. */
function tableRows(shape: Shape, field: string, required: boolean): string[] {
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
  const items = shape.items === undefined || Array.isArray(shape.items) ? undefined : shape.items;
  // A section that says what it is stands for its fields: they have a table of their own.
  const told = field !== '' && shape.description !== undefined;
  if (shape.properties !== undefined && !told)
    return Object.entries(shape.properties).flatMap(([name, inner]) =>
      tableRows(inner, field === '' ? name : `${field}.${name}`, shape.required?.includes(name) ?? false),
    );
  if (typeof shape.additionalProperties === 'object' && !told)
    return tableRows(shape.additionalProperties, `${field}.NAME`, false);
  if (typeof items === 'object' && items.properties !== undefined) return tableRows(items, `${field}[]`, false);
  const fallback = shape.default === undefined ? (required ? 'required' : '–') : `\`${JSON.stringify(shape.default)}\``;
  return [`| \`${field}\` | ${fallback.replaceAll('"', '')} | ${shape.description} |`];
}

describe('docs/configuration.md', () => {
  it('lists every field with its default and its meaning, and no other', () => {
    const rows = docs.split('\n').filter((line) => /^\| `[a-z_]+[.[]/.test(line));
    expect(rows).toEqual([
      ...tableRows(z.toJSONSchema(ConfigSchema, { io: 'input' }), '', false),
      ...tableRows(z.toJSONSchema(QuirksSchema, { io: 'input' }), 'quirks', false),
    ]);
  });

  it('lists every well-known vendor with its variable, its upstreams and its models, and no other', () => {
    const rows = WELL_KNOWN_VENDORS.map(({ upstreams, models }) => {
      const [variable] = expandEnvironment(upstreams, {}).unset.map((entry) => entry.variable);
      const names = models.flatMap(({ routes }) => routes.map(({ upstream }) => upstream));
      const told = [...new Set(names)].map((name) => `\`${name}\` (${String(upstreams[name]?.['kind'])})`).join(', ');
      return `| \`${variable}\` | ${told} | ${models.map(({ id }) => `\`${id}\``).join(' ')} |`;
    });
    expect(docs.split('\n').filter((line) => /^\| `[A-Z]+_API_KEY/.test(line))).toEqual(rows);
  });

  it('lists every environment variable that is read', async () => {
    const files = (await readdir(import.meta.dirname)).filter(
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
  'log',
] as const;

describe('sluice.example.yaml', () => {
  const VARIABLES = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'VIDEO_API_KEY'];
  const SLUICE_CONFIG = path.join(ROOT, 'sluice.example.yaml');

  it('can be used as it is once its variables are set', async () => {
    const credentials = Object.fromEntries(VARIABLES.map((variable) => [variable, 'k']));
    const env = { SLUICE_CONFIG, SLUICE_KEY: 'sk-example', ...credentials };
    const config = await loadConfig({ env, cwd: ROOT });
    expect(new Set(Object.values(config.upstreams).map(({ kind }) => kind))).toEqual(new Set(UPSTREAM_KINDS));
    expect(config.models.map((model) => model.id)).toEqual([
      'gpt-*',
      'claude-*',
      'gemini-*',
      'local/*',
      'sora-2',
      'film-*',
    ]);
    expect(config.disabledUpstreams).toEqual([]);
  });

  it('starts with a key alone, its upstreams switched off', async () => {
    const config = await loadConfig({ env: { SLUICE_CONFIG, SLUICE_KEY: 'sk-example' }, cwd: ROOT });
    expect(new Set(config.disabledUpstreams.map(({ variable }) => variable))).toEqual(new Set(VARIABLES));
    expect(Object.keys(config.upstreams)).toEqual(['ollama']);
    expect(config.models.map((model) => model.id)).toEqual(['local/*']);
  });

  it('shows the defaults where it says so', async () => {
    const shown = await loadConfig({ env: { SLUICE_CONFIG, SLUICE_KEY: 'sk-example' }, cwd: ROOT });
    const defaults = ConfigSchema.parse({});
    for (const section of SHOWN) expect(shown[section]).toEqual(defaults[section]);
  });
});
