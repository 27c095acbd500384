import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { collectMetadata } from './metadata.ts';

const collect = (fields: Record<string, unknown>) => collectMetadata({ fields }).metadata;
const droppedOf = (fields: Record<string, unknown>, within?: string) =>
  collectMetadata({ fields, ...(within !== undefined && { within }) }).dropped;
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('collectMetadata', () => {
  it('merges its sources; the later one wins', () => {
    const collected = collectMetadata({ fields: { a: 1, b: 1 } }, { fields: { b: 2 }, within: 'metadata' });
    expect(collected).toEqual({ metadata: { a: 1, b: 2 } });
  });

  it('is omitted without metadata', () => {
    expect(collectMetadata({ fields: {} })).toEqual({});
    expect(collect({ model: 'x' })).toBeUndefined();
  });

  it.each(['model', 'Model', ' model ', 'model_name', 'req_key'])('removes %j, which chooses a model', (name) => {
    expect(collect({ [name]: 'dear', option: 1 })).toEqual({ option: 1 });
  });

  it.each([
    'callback_url',
    'callbackUrl',
    'CallBack',
    'webhook',
    'webhook_url',
    'web_hook',
    'webhook_events_filter',
    'fal_webhook',
    'notify_url',
    'notification_config',
  ])('removes %s, at the top level or nested', (name) => {
    expect(collect({ [name]: 'https://evil.test', option: { [name]: 1, list: [{ [name]: 2, x: 3 }] } })).toEqual({
      option: { list: [{ x: 3 }] },
    });
  });

  it('names a field that is nested too deeply, at any depth', () => {
    const deep = nested(100_000);
    expect(() => collect({ deep })).toThrow(refusal('deep'));
    expect(() => collectMetadata({ fields: { deep }, within: 'metadata' })).toThrow(refusal('metadata[deep]'));
    expect(collect({ a: nested(32) })).toBeDefined();
    expect(() => collect({ a: nested(33) })).toThrow(refusal('a'));
  });

  it('also checks the depth of removed fields', () => {
    const deep = nested(200_000);
    expect(() => collect({ my_callback: deep })).toThrow(refusal('my_callback'));
    expect(() => collectMetadata({ fields: { model: deep }, within: 'metadata' })).toThrow(refusal('metadata[model]'));
  });

  it('names removed fields as the client wrote them', () => {
    expect(droppedOf({ callback_url: 'x', Model: 'dear', option: 1 })).toEqual(['callback_url', 'Model']);
    expect(droppedOf({ webhook: 'x', req_key: 'dear', option: { list: [{ notify_url: 1 }] } }, 'metadata')).toEqual([
      'metadata[webhook]',
      'metadata[req_key]',
      'metadata[option][list][0][notify_url]',
    ]);
    expect(droppedOf({ option: { model: 'x' } })).toBeUndefined();
  });

  it('limits the names to the length of a header', () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`webhook_${index}`, 1]));
    const dropped = droppedOf({ fields, [`webhook${'x'.repeat(100_000)}`]: 1 });
    expect(dropped).toHaveLength(16);
    for (const name of dropped ?? []) expect(name.length).toBeLessThanOrEqual(128);
  });

  it('shortens a long name once for all removed fields below it', () => {
    const fields = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`webhook_${index}`, 1]));
    // Exceeds the test timeout if every name is processed.
    expect(() => collect({ option: { ['x'.repeat(1_000_000)]: fields } })).toThrow(refusal('option'));
  });

  it('names the largest field of oversized metadata', () => {
    expect(() => collect({ short: 1, none: undefined, long: 'x'.repeat(65_536) })).toThrow(refusal('long'));
    expect(collect({ long: 'x'.repeat(65_000) })).toBeDefined();
  });

  it('does not change a prototype', () => {
    const collected = collect(JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}') as never);
    expect(collected).not.toHaveProperty('polluted');
    expect(collected?.['a']).not.toHaveProperty('polluted');
  });
});
