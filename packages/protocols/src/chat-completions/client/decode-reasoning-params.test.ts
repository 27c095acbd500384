import { describe, expect, it } from 'vitest';
import { decodeReasoningParams } from './decode-reasoning-params.ts';

describe('decodeReasoningParams', () => {
  it.each([
    [{}, undefined],
    [{ reasoning_effort: 'high' }, { effort: 'high' }],
    [{ reasoning_effort: 'none' }, { enabled: false, effort: 'none' }],
    [{ reasoning: { effort: 'low', exclude: true } }, { effort: 'low', visible: 'none' }],
    [{ reasoning: { max_tokens: 2000, enabled: true } }, { enabled: true, budgetTokens: 2000 }],
    [{ thinking: { type: 'enabled', budget_tokens: 4000 } }, { enabled: true, budgetTokens: 4000 }],
    [{ thinking: { type: 'disabled' } }, { enabled: false }],
    [{ thinking: { type: 'adaptive' } }, { enabled: true, adaptive: true }],
    [
      { enable_thinking: true, thinking_budget: 50 },
      { enabled: true, budgetTokens: 50 },
    ],
    [{ chat_template_kwargs: { enable_thinking: false } }, { enabled: false }],
    [
      { extra_body: { google: { thinking_config: { thinking_level: 'LOW', include_thoughts: true } } } },
      { effort: 'low', visible: 'full' },
    ],
    [{ extra_body: { google: { thinking_config: { thinking_budget: 0 } } } }, { enabled: false }],
    [{ extra_body: { google: { thinking_config: { thinking_budget: -1 } } } }, { adaptive: true }],
  ])('reads %j', (body, expected) => {
    expect(decodeReasoningParams(body)).toEqual(expected);
  });
});
