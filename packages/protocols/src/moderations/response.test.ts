import { describe, expect, it } from 'vitest';
import { encodeModeration } from './response.ts';

describe('encodeModeration', () => {
  it('returns the requested model, an id of the gateway, and the results', () => {
    const result = { flagged: true, categories: { hate: true, illicit: null }, scores: { hate: 0.9 } };
    const applied = { ...result, appliedInputTypes: { hate: ['text'] } };
    const params = { input: 'a', foreign: { protocol: 'openai', fields: {} } } as const;
    const context = { model: 'judge', params, newId: (prefix: string) => `${prefix}1` };
    const encoded = { flagged: true, categories: { hate: true, illicit: null }, category_scores: { hate: 0.9 } };
    expect(encodeModeration({ results: [result, applied] }, context)).toEqual({
      id: 'modr-1',
      model: 'judge',
      results: [encoded, { ...encoded, category_applied_input_types: { hate: ['text'] } }],
    });
  });
});
