import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, type FieldPath, formatPath } from '../issues/config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';
import { loadConfig } from './load-config.ts';

type Shape = z.core.JSONSchema._JSONSchema | z.core.JSONSchema._JSONSchema[] | undefined;

const cwd = await mkdtemp(path.join(tmpdir(), 'sluice-bad-values-'));
afterAll(() => rm(cwd, { recursive: true, force: true }));

/** Lists the fields of the schema with a value of a wrong type. Lists have one entry, and records the entry `name`. */
function badFields(shape: Shape, at: FieldPath): [FieldPath, string][] {
  if (shape === undefined || typeof shape === 'boolean' || Array.isArray(shape)) return [];
  // The fields of an identity depend on its `type`, which is reported first.
  if (shape.anyOf ?? shape.oneOf) return [];
  const own: [FieldPath, string][] =
    at.length === 0 ? [] : [[at, shape.type === 'object' || shape.type === 'array' ? 'text' : '[1, 2]']];
  if (shape.type === 'array' && !Array.isArray(shape.items)) return [...own, ...badFields(shape.items, [...at, 0])];
  const entries = Object.entries(shape.properties ?? {}).flatMap(([name, inner]) => badFields(inner, [...at, name]));
  return [...own, ...entries, ...badFields(shape.additionalProperties, [...at, 'name'])];
}

/** Writes a field on lines of its own. Returns the position of its value. */
function yamlOf(field: FieldPath, value: string): { text: string; line: number; column: number } {
  const lines = field.map((step, depth) => `${'  '.repeat(depth)}${typeof step === 'number' ? '-' : `${step}:`}`);
  const last = `${lines.at(-1)} `;
  return {
    text: [...lines.slice(0, -1), last + value].join('\n'),
    line: lines.length,
    column: last.length + 1,
  };
}

const fields = badFields(z.toJSONSchema(ConfigSchema, { io: 'input' }), []);

it('finds the fields of the schema', () => {
  const found = fields.map(([field]) => formatPath(field));
  for (const field of [
    'redis.shards[0]',
    'redis.tls.ca',
    'config.source',
    'routing.retry_percent',
    'models[0].hedge_ms',
  ]) {
    expect(found).toContain(field);
  }
  expect(found).toContain('upstreams.name.credentials[0].rpm');
});

it('names the line, the column, and a remedy for a bad value of each field', async () => {
  const unexplained: string[] = [];
  for (const [field, value] of fields) {
    const { text, line, column } = yamlOf(field, value);
    await writeFile(path.join(cwd, 'sluice.yaml'), text);
    const error = await loadConfig({ env: {}, cwd }).catch((reason: unknown) => reason);
    const issues = error instanceof ConfigError ? error.issues : [];
    const where = `sluice.yaml:${line}:${column}`;
    const issue = issues.find((one) => formatPath(one.path) === formatPath(field) && one.where === where);
    if (!issue || !/\w/.test(issue.remedy)) unexplained.push(`${where} ${formatPath(field)}`);
  }
  expect(unexplained).toEqual([]);
});
