import type { ModerationParams } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { openAiModeration } from './moderation.ts';

const result = { flagged: false, categories: {}, category_scores: {} };
const read = (input: ModerationParams['input'], results: number) =>
  openAiModeration.read(
    { results: Array.from({ length: results }, () => result) },
    { input, foreign: { protocol: 'openai', fields: {} } },
    { model: 'm' },
  );
const part = { type: 'text', text: 'a' } as const;

it.each<[ModerationParams['input'], number]>([
  ['a', 1],
  [['a', 'b'], 2],
  [['a'], 1],
  [[part, part], 1],
])('%j has %d results, and any other number is invalid', (input, results) => {
  expect(read(input, results)?.results).toHaveLength(results);
  expect(read(input, results + 1)).toBeUndefined();
  expect(read(input, results - 1)).toBeUndefined();
});
