import { describe, expect, it } from 'vitest';
import { parseInput } from '../../json/parse-input.ts';
import { CountTokensSchema, GenerateContentSchema } from './schema.ts';

const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];

describe('GenerateContentSchema', () => {
  it('accepts unknown members, camel and snake case, and nulls', () => {
    const body = {
      contents,
      generation_config: { response_modalities: ['TEXT'], x: 1 },
      systemInstruction: null,
      tools: [],
      my_field: 1,
    };
    expect(parseInput(GenerateContentSchema, body)).toEqual(body);
  });

  it.each([
    [{}, 'contents'],
    [{ contents: null }, 'contents'],
    [{ contents: [] }, 'contents'],
    [{ contents: 'Hi' }, 'contents'],
    [{ contents: ['Hi'] }, 'contents[0]'],
    [{ contents, generationConfig: [] }, 'generationConfig'],
    [{ contents, generationConfig: { responseModalities: 'IMAGE' } }, 'generationConfig[responseModalities]'],
    [{ contents, tools: 'x' }, 'tools'],
    [{ contents, cachedContent: 1 }, 'cachedContent'],
  ])('rejects %j, naming the field', (body, param) => {
    expect(() => parseInput(GenerateContentSchema, body)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });
});

it('CountTokensSchema accepts both formats', () => {
  expect(parseInput(CountTokensSchema, { contents })).toEqual({ contents });
  expect(parseInput(CountTokensSchema, { generateContentRequest: { contents } })).toBeDefined();
});
