import type { GenerationRequest, Loss, Reasoning, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeThinking } from './encode-thinking.ts';

function encode(model: string, reasoning?: Reasoning, quirks: TextQuirks = {}, losses: Loss[] = [], limit?: number) {
  return encodeThinking(
    {
      protocol: 'chat-completions',
      model,
      stream: false,
      messages: [],
      tools: [],
      ...(reasoning && { reasoning }),
      ...(limit !== undefined && { maxOutputTokens: limit }),
    },
    { upstream: 'g', account: 'a', protocol: 'generative-content', model, quirks },
    (loss) => losses.push(loss),
  );
}

describe('encodeThinking', () => {
  it.each(['gemini-2.5-pro', 'gemini-3-pro', 'gemini-2.0-flash', 'other'])(
    'requests no thinking from %s by default',
    (model) => {
      expect(encode(model)).toBeUndefined();
    },
  );

  it.each([
    ['gemini-2.5-flash', { effort: 'low' }, { thinkingBudget: 4096 }],
    ['gemini-2.5-flash', { effort: 'max' }, { thinkingBudget: 24_576 }],
    ['gemini-2.5-flash', { enabled: false }, { thinkingBudget: 0 }],
    ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0 }],
    ['gemini-2.5-pro', { enabled: false }, { thinkingBudget: 128 }],
    ['gemini-2.5-pro', { budgetTokens: 512, visible: 'summary' }, { includeThoughts: true, thinkingBudget: 512 }],
    ['gemini-2.5-pro', { adaptive: true }, { thinkingBudget: -1 }],
    ['gemini-3-flash', { effort: 'minimal' }, { thinkingLevel: 'MINIMAL' }],
    ['gemini-3-flash', { enabled: false }, { thinkingLevel: 'MINIMAL' }],
    ['gemini-3-pro', { effort: 'none' }, { thinkingLevel: 'LOW' }],
    ['gemini-3-pro-preview', { effort: 'medium' }, { thinkingLevel: 'HIGH' }],
    ['gemini-3.1-pro', { effort: 'medium' }, { thinkingLevel: 'MEDIUM' }],
    ['gemini-3-pro', { budgetTokens: 4096 }, { thinkingLevel: 'LOW' }],
    ['gemini-3-pro', { effort: 'xhigh', visible: 'none' }, { includeThoughts: false, thinkingLevel: 'HIGH' }],
    ['gemini-3-pro', { adaptive: true }, undefined],
  ] satisfies [string, Reasoning, unknown][])('configures %s for %j', (model, reasoning, config) => {
    expect(encode(model, reasoning)).toEqual(config);
  });

  it('shows the thinking that a messages client enables', () => {
    const request: GenerationRequest = { protocol: 'messages', model: 'm', stream: false, messages: [], tools: [] };
    const reasoning: Reasoning = { enabled: true, budgetTokens: 512 };
    const target = { upstream: 'g', account: 'a', protocol: 'generative-content', quirks: {} } as const;
    const config = encodeThinking({ ...request, reasoning }, { ...target, model: 'gemini-2.5-pro' }, () => undefined);
    expect(config).toEqual({
      includeThoughts: true,
      thinkingBudget: 512,
    });
  });

  it('reserves a fifth of the limit for the response', () => {
    expect(encode('gemini-2.5-flash', { effort: 'high' }, {}, [], 5000)).toEqual({ thinkingBudget: 4000 });
    expect(encode('gemini-2.5-flash', { budgetTokens: 9000 }, {}, [], 5000)).toEqual({ thinkingBudget: 4000 });
  });

  it('reports features that a model lacks', () => {
    const losses: Loss[] = [];
    expect(encode('gemini-2.0-flash', { effort: 'high' }, {}, losses)).toBeUndefined();
    expect(losses).toEqual([{ field: 'reasoning_effort', how: 'dropped' }]);
    expect(encode('gemini-2.0-flash', { enabled: false }, {}, losses)).toBeUndefined();
    expect(losses).toHaveLength(1);
    encode('gemini-3-pro', { effort: 'none' }, {}, losses);
    expect(losses[1]).toEqual({ field: 'reasoning_effort', how: 'clamped' });
    encode('gemini-3-pro', { budgetTokens: 3000 }, {}, losses);
    expect(losses[2]).toEqual({ field: 'reasoning_budget', how: 'replaced' });
    encode('gemini-2.5-pro', { budgetTokens: 3000 }, {}, losses);
    expect(losses).toHaveLength(3);
  });

  it('prefers the quirk to the model name', () => {
    expect(encode('my-model', { effort: 'low' }, { thinking_config: 'level' })).toEqual({ thinkingLevel: 'LOW' });
    expect(encode('gemini-3-pro', { effort: 'low' }, { thinking_config: 'none' })).toBeUndefined();
  });
});
