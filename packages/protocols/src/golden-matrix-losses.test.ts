import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectFile } from '../test/golden-files.ts';
import { lossesPage, readParams } from '../test/losses-page.ts';
import { LANES } from '../test/text-lanes.ts';

/** Members that are never lost: what is asked, of whom, and how the answer comes. */
const NEVER_LOST = new Set(['model', 'messages', 'contents', 'input', 'stream', 'tools', 'text', 'reasoning']);

describe('docs/use/losses.md', () => {
  it('tells what the protocols do', () => {
    expectFile(join(import.meta.dirname, '../../../docs/use/losses.md'), lossesPage());
  });

  it.each(LANES)('asks for every field that $name knows', ({ name, topLevel }) => {
    const { fields } = readParams(name);
    const asked = new Set(fields.flatMap((params) => Object.keys(params.with)));
    const known: object = 'shape' in topLevel && topLevel.shape instanceof Object ? topLevel.shape : {};
    expect(Object.keys(known).length).toBeGreaterThan(10);
    // Generative content takes its fields in snake case too.
    const camel = Object.keys(known).filter((key) => name !== 'generative-content' || !key.includes('_'));
    expect(camel.filter((key) => !asked.has(key) && !NEVER_LOST.has(key))).toEqual([]);
  });
});
