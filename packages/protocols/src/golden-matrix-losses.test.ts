import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectFile } from '../test/golden/golden-files.ts';
import { lossesPage, readParams } from '../test/golden/losses-page.ts';
import { TEXT_PROTOCOLS } from '../test/text-exchange.ts';

/** Fields that are never lost: input, model, and transport. */
const NEVER_LOST = new Set(['model', 'messages', 'contents', 'input', 'stream', 'tools', 'text', 'reasoning']);

describe('docs/use/losses.md', () => {
  it('matches the protocols', () => {
    expectFile(join(import.meta.dirname, '../../../docs/use/losses.md'), lossesPage());
  });

  it.each(TEXT_PROTOCOLS)('covers every field of $name', ({ name, topLevel }) => {
    const { fields } = readParams(name);
    const covered = new Set(fields.flatMap((params) => Object.keys(params.with)));
    const known: object = 'shape' in topLevel && topLevel.shape instanceof Object ? topLevel.shape : {};
    expect(Object.keys(known).length).toBeGreaterThan(10);
    // The generative-content protocol also accepts its fields in snake case.
    const camel = Object.keys(known).filter((key) => name !== 'generative-content' || !key.includes('_'));
    expect(camel.filter((key) => !covered.has(key) && !NEVER_LOST.has(key))).toEqual([]);
  });
});
