import { describe, expect, it } from 'vitest';
import { modelTraits } from './model-traits.ts';

const traits = (model: string, quirks = {}) =>
  modelTraits({ upstream: 'u', account: 'a', protocol: 'chat-completions', model, quirks });

describe('modelTraits', () => {
  it.each(['o1', 'o3-mini', 'gpt-5', 'GPT-5.1-codex', 'gpt-6-mini', 'openai/o4-mini'])(
    'recognizes %s as a reasoning model',
    (model) => {
      expect(traits(model)).toMatchObject({
        maxTokensField: 'max_completion_tokens',
        instructionRole: 'developer',
        sampling: undefined,
        isOpenAi: true,
      });
    },
  );

  it.each(['gpt-4o', 'deepseek-chat', 'qwen3', 'openchat', 'o-model'])('applies no special traits to %s', (model) => {
    expect(traits(model)).toMatchObject({ maxTokensField: 'max_tokens', instructionRole: 'system', sampling: true });
  });

  it('prefers configured traits over the name', () => {
    const quirks = { sampling: false, json_schema: false, stream_usage: false, reasoning_content: true, top_k: true };
    expect(traits('m', quirks)).toMatchObject({
      sampling: false,
      jsonSchema: false,
      streamUsage: false,
      reasoningContent: true,
      topK: true,
    });
  });
});
