import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TEXT_CATALOG, textVendorAt } from './text-catalog.ts';

const NOW = Date.UTC(2026, 9, 1, 12);

function ratesAt(baseUrl: string, model: string, at = NOW) {
  return textVendorAt(baseUrl)?.ratesOf(model, at);
}

describe('the catalog of text models', () => {
  it('has the version of the installed package', () => {
    const folder = dirname(createRequire(import.meta.url).resolve('@pydantic/genai-prices'));
    const { name, version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
    expect(TEXT_CATALOG.name).toBe(`${name} ${version}`);
  });

  it.each([
    ['https://api.openai.com/v1', 'gpt-5.1', 1.25],
    ['https://api.anthropic.com', 'claude-opus-4-5-20251101', 5],
    ['https://generativelanguage.googleapis.com', 'models/gemini-2.5-pro', 1.25],
    ['https://api.deepseek.com/v1', 'deepseek-chat', undefined],
    ['https://api.groq.com/openai/v1', 'llama-3.3-70b-versatile', undefined],
    ['https://api.mistral.ai/v1', 'mistral-small-latest', undefined],
    ['https://api.x.ai/v1', 'grok-4', 3],
    ['https://openrouter.ai/api/v1', 'anthropic/claude-sonnet-4.5', undefined],
    ['https://api.moonshot.ai/v1', 'kimi-k2-thinking', undefined],
    ['https://api.cohere.com', 'embed-v4.0', 0.12],
  ])('knows the vendor at %s', (baseUrl, model, input) => {
    const tokens = ratesAt(baseUrl, model)?.tokens;
    expect(tokens?.input).toBeGreaterThan(0);
    if (input !== undefined) expect(tokens?.input).toBe(input);
    expect(textVendorAt(baseUrl)?.url).toMatch(/^https:/);
  });

  it.each([
    ['https://llm.example.com/v1', 'gpt-5.1'],
    ['https://proxy.example.com/https://api.openai.com/v1', 'gpt-5.1'],
    ['https://dashscope.aliyuncs.com/compatible-mode/v1', 'qwen3-max'],
    ['https://api.openai.com/v1', 'my-own-model'],
  ])('has no price at %s for %s', (baseUrl, model) => {
    expect(ratesAt(baseUrl, model)).toBeUndefined();
  });

  it.each([
    ['https://api.openai.com/v1', 'whisper-1', { audioSecond: 0.0001 }],
    ['https://api.groq.com/openai/v1', 'whisper-large-v3', { audioSecond: 0.0000308333333333, minAudioSeconds: 10 }],
  ])('has a price per second of audio at %s for %s', (baseUrl, model, rates) => {
    expect(ratesAt(baseUrl, model)).toEqual(rates);
  });

  it('has prices by the lifetime of a cache, by context length, and per search', () => {
    expect(ratesAt('https://api.anthropic.com', 'claude-opus-4-5')).toMatchObject({
      tokens: { input: 5, cachedInput: 0.5, cacheWrite: 6.25, cacheWrite1h: 10, output: 25 },
      tiers: [],
      search: 0.01,
    });
    expect(ratesAt('https://generativelanguage.googleapis.com', 'gemini-2.5-pro')).toMatchObject({
      tokens: { input: 1.25, cachedInput: 0.125, output: 10 },
      tiers: [{ above: 200_000, tokens: { input: 2.5, cachedInput: 0.25, output: 15 } }],
    });
    expect(ratesAt('https://api.openai.com/v1', 'gpt-realtime')?.tokens).toMatchObject({
      input: 4,
      audioInput: 32,
      imageInput: 5,
      audioOutput: 64,
    });
  });

  it.each([
    ['https://api.openai.com/v1', 'gpt-5.1', { batch: 0.5, flex: 0.5, priority: 2 }],
    ['https://api.openai.com/v1', 'gpt-4.1-mini', { batch: 0.5, flex: 0.5, priority: 1.75 }],
    ['https://api.openai.com/v1', 'gpt-4o', { batch: 0.5, priority: 1.7 }],
    ['https://api.anthropic.com', 'claude-opus-4-5', { batch: 0.5 }],
    ['https://generativelanguage.googleapis.com', 'gemini-2.5-flash', { batch: 0.5, priority: 1.8 }],
    ['https://sluice.openai.azure.com/openai/v1', 'gpt-4.1', { batch: 0.5 }],
    ['https://bedrock-runtime.us-east-1.amazonaws.com', 'amazon.nova-pro-v1:0', { batch: 0.5 }],
    ['https://api.x.ai/v1', 'grok-4', undefined],
  ])('has the factors of service tiers at %s for %s', (baseUrl, model, factors) => {
    expect(ratesAt(baseUrl, model)?.serviceTiers).toEqual(factors);
  });

  it('follows prices that change with the date', () => {
    const before = ratesAt('https://api.openai.com/v1', 'o3', Date.UTC(2025, 4, 1))?.tokens?.input;
    expect([before, ratesAt('https://api.openai.com/v1', 'o3')?.tokens?.input]).toEqual([10, 2]);
  });
});
