import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { type KnownFields, plainFields, reportUnknownFields } from './unknown-fields.ts';
import type { JsonObject } from '../json/values.ts';

function unknownFields(body: JsonObject, known: KnownFields): string[] {
  const losses: Loss[] = [];
  reportUnknownFields(body, known, (loss) => losses.push(loss));
  return losses.map(({ field }) => field);
}

describe('reportUnknownFields', () => {
  it('reports each unknown field once, with its path', () => {
    const tools = [{ name: 'a', input_examples: [{}] }, { name: 'b', input_examples: [{}] }, 'text'];
    const body = { model: 'm', tools, novel: false };
    expect(unknownFields(body, { model: null, tools: plainFields('name') })).toEqual([
      'tools[].input_examples',
      'novel',
    ]);
  });

  it('treats null and empty values as omitted', () => {
    expect(unknownFields({ a: null, b: '', c: [], d: undefined, e: {} }, {})).toEqual(['e']);
  });

  it('reports the object that a function does not accept', () => {
    const known: KnownFields = { parts: ({ type }) => (type === 'text' ? plainFields('type text') : undefined) };
    expect(unknownFields({ parts: [{ type: 'text', text: 'a', b: 1 }, { type: 'x' }] }, known)).toEqual([
      'parts[].b',
      'parts[]',
    ]);
  });

  it('treats inherited names as unknown', () => {
    expect(unknownFields(JSON.parse('{"__proto__":1,"toString":2}') as JsonObject, {})).toEqual([
      '__proto__',
      'toString',
    ]);
  });

  it('reports a value that is nested too deeply', () => {
    const deep: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
    expect(unknownFields({ parts: deep }, { parts: plainFields('type') })).toEqual(['parts[]']);
  });
});
