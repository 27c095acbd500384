import { describe, expect, it } from 'vitest';
import { modelTraits } from './model-traits.ts';

const traits = (model: string, quirks = {}) =>
  modelTraits({ upstream: 'u', account: 'a', protocol: 'chat-completions', model, quirks });

describe('the traits of a model', () => {
  it.each(['o1', 'o3-mini', 'gpt-5', 'GPT-5.1-codex', 'gpt-6-mini', 'openai/o4-mini'])('know %s to reason', (model) => {
    expect(traits(model)).toMatchObject({
      maxTokensField: 'max_completion_tokens',
      instructionRole: 'developer',
      sampling: undefined,
      isOpenAi: true,
    });
  });

  it.each(['gpt-4o', 'deepseek-chat', 'qwen3', 'openchat', 'o-model'])('take %s as it is', (model) => {
    expect(traits(model)).toMatchObject({ maxTokensField: 'max_tokens', instructionRole: 'system', sampling: true });
  });

  it('follow the operator rather than the name', () => {
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
