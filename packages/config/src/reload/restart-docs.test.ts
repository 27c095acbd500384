import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ConfigSchema } from '../schema/schema.ts';
import { needsRestart } from './restart-fields.ts';

const page = readFileSync(new URL('../../../../docs/operate/reload.md', import.meta.url), 'utf8');
const table = /## Fields that need a restart(.*?)\n## /s.exec(page)?.[1] ?? '';
const rows = table.split('\n').flatMap((line) => /^\| (`.*?) \| /.exec(line)?.[1] ?? []);

/** Sections that need a restart except for one field. */
const EXCEPTIONS = new Map([
  ['webhooks', 'webhooks.allow'],
  ['console', 'console.trace_url'],
]);

describe('docs/operate/reload.md', () => {
  it('lists exactly the fields that need a restart', () => {
    const simple = rows.filter((row) => !row.includes('except'));
    const documented = simple.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    const sections = Object.keys(ConfigSchema.shape);
    const whole = sections.filter((section) => needsRestart(section) && !EXCEPTIONS.has(section));
    // The cast is safe because sections are objects.
    const shapes = Object.entries(ConfigSchema.parse({})) as [string, object][];
    const single = shapes
      .filter(([section]) => !needsRestart(section))
      .flatMap(([section, fields]) => Object.keys(fields).map((field) => `${section}.${field}`))
      .filter((field) => needsRestart(field));
    expect(new Set(documented)).toEqual(new Set([...whole, ...single]));
    for (const [section, field] of EXCEPTIONS) {
      expect(rows).toContain(`\`${section}\`, except \`${field}\``);
      expect([needsRestart(section), needsRestart(field)]).toEqual([true, false]);
    }
  });
});
