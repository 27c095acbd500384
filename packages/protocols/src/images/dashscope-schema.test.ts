import { expect, it } from 'vitest';
import { countedReads } from '../../test/counted-reads.ts';
import { parseInput } from '../json/parse-input.ts';
import { DashScopeImagesSchema } from './dashscope-schema.ts';

it('contains every documented field', () => {
  const { input, parameters } = DashScopeImagesSchema.shape;
  expect(Object.keys(DashScopeImagesSchema.shape)).toEqual(expect.arrayContaining(['model', 'input', 'parameters']));
  expect(Object.keys(input.shape)).toEqual(['messages']);
  const documented = ['negative_prompt', 'prompt_extend', 'watermark', 'size', 'n'];
  expect(Object.keys(parameters.unwrap().shape)).toEqual(expect.arrayContaining(documented));
});

it.each([{}, { text: 'a' }, { text: '' }])('stops early in a huge array of parts such as %j', (part) => {
  const { list, reads } = countedReads(part, 1_000_000);
  const body = { model: 'm', input: { messages: [{ content: list }] } };
  expect(() => parseInput(DashScopeImagesSchema, body)).toThrow(
    expect.objectContaining({ param: 'input[messages][0][content]' }),
  );
  expect(reads()).toBeLessThan(20);
});
