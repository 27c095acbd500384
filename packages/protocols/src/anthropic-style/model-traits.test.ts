import { describe, expect, it } from 'vitest';
import { modelTraits } from './model-traits.ts';

describe('modelTraits', () => {
  it.each([
    // columns: name, output limit, adaptive, budget, can be off, sampling, forced tool, native schema, xhigh
    ['claude-sonnet-5-5', 128_000, true, false, false, false, false, true, true],
    ['claude-opus-5-5-20261001', 128_000, true, false, false, false, false, true, true],
    ['claude-haiku-5-5', 128_000, true, false, true, false, true, true, true],
    ['claude-opus-5', 128_000, true, true, true, false, true, true, true],
    ['claude-opus-5-20260601', 128_000, true, true, true, false, true, true, true],
    ['claude-fable-5-1', 128_000, true, false, false, false, false, true, true],
    ['claude-fable-5-20260101', 128_000, true, false, false, false, true, true, true],
    ['claude-opus-4-7', 128_000, true, true, true, false, true, true, true],
    ['claude-sonnet-5', 128_000, true, true, true, false, true, true, true],
    ['claude-opus-4-6', 128_000, true, true, true, true, true, true, false],
    ['anthropic/claude-sonnet-4.5', 64_000, false, true, true, true, true, true, false],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 64_000, false, true, true, true, true, true, false],
    ['claude-opus-4-1-20250805', 32_000, false, true, true, true, true, true, false],
    ['claude-sonnet-4-20250514', 64_000, false, true, true, true, true, false, false],
    ['claude-opus-4@20250514', 32_000, false, true, true, true, true, false, false],
    ['claude-3-7-sonnet-latest', 64_000, false, true, true, true, true, false, false],
    ['claude-3-5-sonnet-20241022', 8_192, false, false, true, true, true, false, false],
    ['claude-3-haiku-20240307', 4_096, false, false, true, true, true, false, false],
    // Not in the table, so treated as the newest model.
    ['claude-opus-7', 128_000, true, false, false, false, false, true, true],
    ['claude-sonnet-4-9', 128_000, true, false, false, false, false, true, true],
    // Another vendor's model.
    ['kimi-k2', undefined, false, true, true, true, true, false, false],
  ] as const)(
    'returns the traits of %s',
    (name, maxOutput, adaptive, budget, thinkingOff, sampling, forcedTool, jsonSchema, xhigh) => {
      const traits = modelTraits(name, {});
      expect(traits).toMatchObject({ adaptive, budget, thinkingOff, sampling, forcedTool, jsonSchema, xhigh });
      expect(traits.maxOutput).toBe(maxOutput);
      expect(traits.defaultMaxTokens).toBe(maxOutput ?? 4_096);
      expect(traits.systemTurns).toBe(false);
    },
  );

  it('applies quirks before the table', () => {
    const quirks = {
      max_output_tokens: 5,
      thinking: 'budget',
      thinking_off: true,
      sampling: true,
      forced_tool: true,
      system_turns: true,
      json_schema: false,
    } as const;
    expect(modelTraits('claude-sonnet-5-5', quirks)).toMatchObject({
      defaultMaxTokens: 5,
      adaptive: false,
      budget: true,
      thinkingOff: true,
      sampling: true,
      forcedTool: true,
      systemTurns: true,
      jsonSchema: false,
    });
    expect(modelTraits('claude-opus-4-6', { thinking: 'none' })).toMatchObject({ adaptive: false, budget: false });
  });
});
