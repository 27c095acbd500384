import type { GenerateContentConfig, GenerateContentParameters } from '@google/genai';
import type { GenerationRequest, Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeRequest } from './encode-request.ts';

const target = {
  upstream: 'google',
  account: 'a1',
  protocol: 'generative-content',
  model: 'gemini-3-pro',
  quirks: {},
} as const;
const base: GenerationRequest = {
  protocol: 'chat-completions',
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', cache: {} }] }],
  tools: [],
};
const KNOWN = new Set([
  'contents',
  'systemInstruction',
  'tools',
  'toolConfig',
  'safetySettings',
  'generationConfig',
  'serviceTier',
]);

describe('encodeRequest', () => {
  it('writes only keys that the API supports', () => {
    const losses: Loss[] = [];
    const body = encodeRequest(
      {
        ...base,
        temperature: 1,
        logitBias: { '1': 1 },
        verbosity: 'low',
        user: 'u',
        metadata: { a: 'b' },
        cache: { key: 'k' },
        serviceTier: 'scale',
        safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      },
      target,
      (loss) => losses.push(loss),
    );
    expect(Object.keys(body).filter((key) => !KNOWN.has(key))).toEqual([]);
    expect(body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      generationConfig: { temperature: 1 },
    });
    expect(losses.map(({ field }) => field)).toEqual([
      'service_tier',
      'logit_bias',
      'verbosity',
      'user',
      'metadata',
      'prompt_cache_key',
      'cache_control',
    ]);
  });

  it.each([
    ['default', 'standard'],
    ['fast', 'priority'],
    ['flex', 'flex'],
    ['auto', undefined],
  ])('writes the service tier %s as %s', (serviceTier, written) => {
    expect(encodeRequest({ ...base, serviceTier }, target, () => undefined)['serviceTier']).toBe(written);
  });

  it('reports a loss once', () => {
    const losses: Loss[] = [];
    const thought = { type: 'reasoning', text: ['hm'], isSummary: true } as const;
    const turn = {
      role: 'assistant' as const,
      content: [
        { ...thought, text: ['hm'] },
        { type: 'text' as const, text: 'a' },
      ],
    };
    const [hello] = base.messages;
    const messages = hello ? [hello, turn, { ...hello }, turn] : [];
    encodeRequest({ ...base, messages }, target, (loss) => losses.push(loss));
    expect(losses.filter(({ field }) => field === 'reasoning')).toHaveLength(1);
  });

  it('reports dropped participant names', () => {
    const losses: Loss[] = [];
    const messages = [{ role: 'user' as const, name: 'ada', content: [{ type: 'text' as const, text: 'Hi' }] }];
    encodeRequest({ ...base, messages }, target, (loss) => losses.push(loss));
    expect(losses).toEqual([{ field: 'name', how: 'dropped' }]);
  });

  it("fits the SDK's own types", () => {
    const body = encodeRequest(
      { ...base, tools: [{ kind: 'function', name: 'f' }], toolChoice: { type: 'required' }, maxOutputTokens: 5 },
      target,
      () => undefined,
    );
    // These types come from the SDK, so the type check verifies the format.
    const { contents, tools, toolConfig, generationConfig } = body as {
      contents: GenerateContentParameters['contents'];
      tools: GenerateContentConfig['tools'];
      toolConfig: GenerateContentConfig['toolConfig'];
      generationConfig: GenerateContentConfig;
    };
    expect(contents).toHaveLength(1);
    expect(tools).toHaveLength(1);
    expect(toolConfig?.functionCallingConfig?.mode).toBe('ANY');
    expect(generationConfig.maxOutputTokens).toBe(5);
  });
});
