import { describe, expect, it } from 'vitest';
import { modelListStyle, type ModelListStyle } from './model-list-style.ts';

describe('modelListStyle', () => {
  it.each<[string, Record<string, string>, Record<string, string>, ModelListStyle]>([
    ['a Bearer token alone', { authorization: 'Bearer k' }, {}, 'default'],
    ['Bearer with a version, as Claude Code', { authorization: 'Bearer k', 'anthropic-version': 'v' }, {}, 'default'],
    ['x-api-key alone', { 'x-api-key': 'k' }, {}, 'default'],
    ['x-api-key with messages-version', { 'x-api-key': 'k', 'messages-version': 'v' }, {}, 'messages'],
    ['x-api-key with anthropic-version', { 'x-api-key': 'k', 'anthropic-version': 'v' }, {}, 'messages'],
    [
      'headers that match both rules',
      { 'x-api-key': 'k', 'messages-version': 'v', 'x-gen-api-key': 'k' },
      {},
      'messages',
    ],
    ['x-gen-api-key', { 'x-gen-api-key': 'k' }, {}, 'generative'],
    ['x-goog-api-key, as the genai SDK', { 'x-goog-api-key': 'k' }, {}, 'generative'],
    ['?key=', { authorization: 'Bearer k' }, { key: 'k' }, 'generative'],
  ])('for %s', (_title, headers, query, style) => {
    expect(modelListStyle(headers, query)).toBe(style);
  });
});
