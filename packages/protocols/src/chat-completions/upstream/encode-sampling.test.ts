import type { GenerationRequest } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeSampling } from './encode-sampling.ts';
import { modelTraits } from './model-traits.ts';

function encode(request: Partial<GenerationRequest>, model: string) {
  const losses: string[] = [];
  const complete: GenerationRequest = {
    protocol: 'messages',
    model,
    stream: false,
    messages: [],
    tools: [],
    ...request,
  };
  const traits = modelTraits({ upstream: 'u', account: 'a', protocol: 'chat-completions', model, quirks: {} });
  return { body: encodeSampling(complete, traits, ({ field }) => losses.push(field)), losses };
}

describe('encodeSampling', () => {
  it('writes all values, including zero', () => {
    expect(encode({ temperature: 0, topP: 0, seed: 0 }, 'm')).toEqual({
      body: { temperature: 0, top_p: 0, seed: 0 },
      losses: [],
    });
  });

  it('omits and reports sampling for a reasoning model, except for the seed', () => {
    const all = { temperature: 0.5, topP: 0.5, presencePenalty: 1, frequencyPenalty: 1, logitBias: {}, seed: 1 };
    expect(encode(all, 'gpt-5')).toEqual({
      body: { seed: 1 },
      losses: ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logit_bias'],
    });
    expect(encode({ ...all, reasoning: { effort: 'none' } }, 'gpt-5').losses).toEqual([]);
    // 1 is the model's default.
    expect(encode({ temperature: 1, topP: 1 }, 'gpt-5')).toEqual({ body: {}, losses: [] });
  });
});
