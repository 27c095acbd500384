import type { Loss, Reasoning } from '@sluice/canonical';
import type { ThinkingConfigParam } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { encodeThinking } from './encode-thinking.ts';
import { modelTraits } from './model-traits.ts';

function encode(reasoning: Reasoning | undefined, model: string, maxTokens = 64_000, unsignedLoop = false) {
  const losses: Loss[] = [];
  const traits = modelTraits(model, {});
  const encoded = encodeThinking({ reasoning, traits, maxTokens, unsignedLoop, report: (loss) => losses.push(loss) });
  return { ...encoded, losses: losses.map(({ how }) => how) };
}

const BUDGET = 'claude-sonnet-4-5';
const BOTH = 'claude-opus-4-6';
const ALWAYS = 'claude-opus-5-5';
const NEVER = 'claude-3-5-haiku';

// Compiles only if the SDK's types include each of these configurations.
const known = (config: NonNullable<ReturnType<typeof encodeThinking>['thinking']>) =>
  config satisfies ThinkingConfigParam;

describe('encodeThinking', () => {
  it('writes the types that the SDK defines', () => {
    expect(known({ type: 'disabled' })).toEqual({ type: 'disabled' });
  });

  it.each<[string, Reasoning | undefined, string, object]>([
    ['no reasoning', undefined, BUDGET, { on: false }],
    ['hidden reasoning only', { visible: 'none' }, BUDGET, { on: false }],
    ['visible reasoning only', { visible: 'summary' }, BOTH, { thinking: { type: 'adaptive', display: 'summarized' } }],
    [
      'only a visibility, for a model that always thinks',
      { visible: 'none' },
      ALWAYS,
      { thinking: { type: 'adaptive', display: 'omitted' }, on: true },
    ],
    ['an effort, as budget', { effort: 'low' }, BUDGET, { thinking: { type: 'enabled', budget_tokens: 4_096 } }],
    ['an effort, as effort', { effort: 'low' }, BOTH, { thinking: { type: 'adaptive' }, effort: 'low' }],
    ['the minimum effort', { effort: 'minimal' }, BOTH, { thinking: { type: 'adaptive' }, effort: 'low' }],
    ['the maximum effort', { effort: 'max' }, BOTH, { thinking: { type: 'adaptive' }, effort: 'max' }],
    ['xhigh, if supported', { effort: 'xhigh' }, ALWAYS, { effort: 'xhigh' }],
    [
      'a budget, if both are supported',
      { budgetTokens: 5_000 },
      BOTH,
      { thinking: { type: 'enabled', budget_tokens: 5_000 } },
    ],
    ['adaptive, if supported', { adaptive: true }, BOTH, { thinking: { type: 'adaptive' } }],
    ['off', { enabled: false }, BUDGET, { thinking: { type: 'disabled' }, on: false }],
    ['no effort at all', { effort: 'none' }, BOTH, { thinking: { type: 'disabled' }, on: false }],
    ['disabled, for a model that cannot think', { enabled: false }, NEVER, { on: false }],
    [
      'shown as a summary',
      { effort: 'high', visible: 'full' },
      BOTH,
      { thinking: { type: 'adaptive', display: 'summarized' }, effort: 'high' },
    ],
  ])('carries %s', (_name, reasoning, model, expected) => {
    expect(encode(reasoning, model)).toMatchObject({ ...expected, losses: [] });
  });

  it.each<[string, Reasoning, string, object]>([
    [
      'visible reasoning only, as medium budget',
      { visible: 'summary' },
      BUDGET,
      { thinking: { type: 'enabled', budget_tokens: 10_240, display: 'summarized' }, losses: ['replaced'] },
    ],
    ['xhigh, if not supported', { effort: 'xhigh' }, BOTH, { effort: 'high', losses: ['clamped'] }],
    [
      'adaptive, if not supported',
      { adaptive: true },
      BUDGET,
      { thinking: { budget_tokens: 10_240 }, losses: ['replaced'] },
    ],
    [
      'a budget for a model without budgets',
      { budgetTokens: 20_000 },
      ALWAYS,
      { effort: 'high', losses: ['replaced'] },
    ],
    [
      'disabled reasoning, for a model that always thinks',
      { enabled: false },
      ALWAYS,
      { thinking: { type: 'adaptive' }, effort: 'low', on: true, losses: ['replaced'] },
    ],
    ['an effort, for a model that cannot think', { effort: 'high' }, NEVER, { on: false, losses: ['dropped'] }],
  ])('falls back for %s', (_name, reasoning, model, expected) => {
    expect(encode(reasoning, model)).toMatchObject(expected);
  });

  it('disables thinking if the limit is too low', () => {
    expect(encode({ effort: 'high' }, BUDGET, 1_200)).toMatchObject({
      thinking: { type: 'disabled' },
      on: false,
      losses: ['dropped'],
    });
  });

  it('sends no budget into a tool loop that started without thinking', () => {
    expect(encode({ effort: 'high' }, BUDGET, 64_000, true)).toEqual({ on: false, losses: ['dropped'] });
    expect(encode({ budgetTokens: 5_000 }, BOTH, 64_000, true)).toMatchObject({
      thinking: { type: 'adaptive' },
      effort: 'low',
      losses: ['replaced'],
    });
  });
});
