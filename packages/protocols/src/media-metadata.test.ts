import { describe, expect, it } from 'vitest';
import { refusal } from '../test/refusals.ts';
import { collectMetadata } from './media-metadata.ts';

const collect = (fields: Record<string, unknown>) => collectMetadata({ fields });
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

describe('collectMetadata', () => {
  it('merges its sources, the later winning', () => {
    expect(collectMetadata({ fields: { a: 1, b: 1 } }, { fields: { b: 2 }, within: 'metadata' })).toEqual({
      a: 1,
      b: 2,
    });
  });

  it('is nothing when nothing is left', () => {
    expect(collectMetadata({ fields: {} }, { fields: { model: 'x' }, within: 'metadata' })).toBeUndefined();
  });

  it.each(['model', 'Model', ' model ', 'model_name', 'req_key'])('never passes %j, which chooses a model', (name) => {
    expect(collect({ [name]: 'dear', kept: 1 })).toEqual({ kept: 1 });
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
  ])('never passes %s, at the top or inside', (name) => {
    expect(collect({ [name]: 'https://evil.test', kept: { [name]: 1, list: [{ [name]: 2, x: 3 }] } })).toEqual({
      kept: { list: [{ x: 3 }] },
    });
  });

  it('names the field that is nested too deeply, however deep it is', () => {
    const deep = nested(100_000);
    expect(() => collect({ deep })).toThrow(refusal('deep'));
    expect(() => collectMetadata({ fields: { deep }, within: 'metadata' })).toThrow(refusal('metadata[deep]'));
    expect(collect({ a: nested(32) })).toBeDefined();
    expect(() => collect({ a: nested(33) })).toThrow(refusal('a'));
  });

  it('names the largest field of what is too long', () => {
    expect(() => collect({ short: 1, none: undefined, long: 'x'.repeat(65_536) })).toThrow(refusal('long'));
    expect(collect({ long: 'x'.repeat(65_000) })).toBeDefined();
  });

  it('does not let a field become a prototype', () => {
    const collected = collect(JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":{"polluted":1}}}') as never);
    expect(collected).not.toHaveProperty('polluted');
    expect(collected?.['a']).not.toHaveProperty('polluted');
  });
});
