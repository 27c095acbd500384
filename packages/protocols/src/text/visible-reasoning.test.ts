import type { GenerationRequest, Reasoning } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { visibleReasoning } from './visible-reasoning.ts';

describe('visibleReasoning', () => {
  it.each<[GenerationRequest['protocol'], Reasoning | undefined, Reasoning['visible']]>([
    ['messages', undefined, undefined],
    ['messages', { enabled: true, budgetTokens: 2_048 }, 'summary'],
    ['messages', { enabled: true, visible: 'none' }, 'none'],
    ['messages', { enabled: false }, undefined],
    ['messages', { adaptive: true }, undefined],
    ['responses', { visible: 'summary' }, 'summary'],
    ['chat-completions', { enabled: true }, undefined],
  ])('of %s for %j is %s', (protocol, reasoning, visible) => {
    expect(visibleReasoning({ protocol, reasoning })).toBe(visible);
  });
});
