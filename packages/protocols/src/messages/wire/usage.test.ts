import { describe, expect, it } from 'vitest';
import { decodeUsage, encodeUsage } from './usage.ts';

describe('usage', () => {
  it('includes cached tokens in the canonical model and excludes them on the wire', () => {
    const wire = { input_tokens: 25, cache_read_input_tokens: 75, cache_creation_input_tokens: 10, output_tokens: 5 };
    const usage = decodeUsage(wire);
    expect(usage).toEqual({ inputTokens: 110, cachedTokens: 75, cacheWriteTokens: 10, outputTokens: 5 });
    expect(encodeUsage(usage)).toEqual(wire);
  });

  it('counts cached tokens once', () => {
    expect(encodeUsage({ inputTokens: 100, cachedTokens: 75, outputTokens: 1 })).toMatchObject({
      input_tokens: 25,
      cache_read_input_tokens: 75,
    });
    expect(encodeUsage({ inputTokens: 5, cachedTokens: 9, outputTokens: 0 }).input_tokens).toBe(0);
  });

  it('accepts later events that repeat or omit earlier values', () => {
    const first = decodeUsage({ input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 });
    expect(decodeUsage({ output_tokens: 9, input_tokens: null }, first)).toEqual({
      inputTokens: 12,
      cachedTokens: 7,
      outputTokens: 9,
    });
    expect(decodeUsage({ input_tokens: 6, output_tokens: 9 }, first)).toMatchObject({ inputTokens: 13 });
    expect(decodeUsage(null, first)).toBe(first);
  });

  it('reads and writes thinking tokens', () => {
    const usage = decodeUsage({ input_tokens: 1, output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } });
    expect(usage?.reasoningTokens).toBe(4);
    expect(encodeUsage(usage).output_tokens_details).toEqual({ thinking_tokens: 4 });
  });

  it('reads and writes cache writes for an hour, searches, and the service tier', () => {
    const wire = {
      input_tokens: 1,
      cache_creation_input_tokens: 30,
      cache_creation: { ephemeral_5m_input_tokens: 10, ephemeral_1h_input_tokens: 20 },
      output_tokens: 9,
      server_tool_use: { web_search_requests: 2, web_fetch_requests: 1 },
      service_tier: 'batch',
    };
    const usage = decodeUsage(wire);
    expect(usage).toEqual({
      inputTokens: 31,
      cacheWriteTokens: 30,
      cacheWrite1hTokens: 20,
      outputTokens: 9,
      searches: 2,
      serviceTier: 'batch',
    });
    expect(decodeUsage({ output_tokens: 10 }, usage)).toEqual({ ...usage, outputTokens: 10 });
    expect(encodeUsage(usage, 'batch')).toEqual({
      ...wire,
      cache_read_input_tokens: 0,
      server_tool_use: { web_search_requests: 2 },
    });
  });

  it('is undefined without counts', () => {
    expect(decodeUsage({})).toBeUndefined();
    expect(decodeUsage('much')).toBeUndefined();
    expect(encodeUsage(undefined)).toEqual({
      input_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 0,
    });
  });
});
