import { describe, expect, it } from 'vitest';
import { ConfigSchema } from '../schema/schema.ts';
import { unpricedModels } from './unpriced-models.ts';

const account = (kind: string) => ({ kind, base_url: 'http://a' });
const model = (id: string, upstream: string, more: object = {}) => ({
  id,
  routes: [{ upstream, model: '*' }],
  ...more,
});
const budget = { usd: 5, period: 'day' };

function unpriced(
  models: readonly object[],
  keys: readonly object[] = [{ budget }],
  inCatalog?: Parameters<typeof unpricedModels>[1],
) {
  const file = ConfigSchema.parse({
    keys: keys.map((key, index) => ({ name: `key${index}`, key: `sk-key-${index}`, ...key })),
    upstreams: {
      chat: account('chat-completions'),
      video: account('veo'),
      fal: account('fal'),
      sandbox: account('videos'),
    },
    models: models.map((one) => ({ ...one })),
  });
  return Object.fromEntries(unpricedModels(file, inCatalog).map(({ key, models: free }) => [key, free]));
}

describe('unpricedModels', () => {
  it('lists each model without a price, by its id or pattern', () => {
    const models = [
      model('gpt-5', 'chat', { price: { input: 1 } }),
      model('gpt-*', 'chat'),
      model('video', 'video', { price: {} }),
    ];
    expect(unpriced(models)).toEqual({ key0: ['gpt-*', 'video'] });
  });

  it('lists no model with a price, even if the price is 0', () => {
    expect(
      unpriced([model('a', 'chat', { price: { request: 0 } }), model('b', 'video', { price: { video_second: 0 } })]),
    ).toEqual({});
  });

  it('lists the capabilities that a price leaves out', () => {
    const models = [
      model('video', 'video', { price: { image: 1 } }),
      model('both', 'fal', { capabilities: ['image', 'video'], price: { image: 1 } }),
      model('voice', 'chat', { capabilities: ['speech'], price: { characters: 15 } }),
      // The upstream kind has several capabilities, and only the vendor knows which of them this model has.
      model('chat', 'chat', { price: { output: 1 } }),
    ];
    expect(unpriced(models)).toEqual({ key0: ['video (video)', 'both (video)'] });
  });

  it('skips keys without a budget and models that the key may not use', () => {
    const models = [model('gpt-5', 'chat', { price: { input: 1 } }), model('gpt-*', 'chat'), model('video', 'video')];
    const keys = [
      {},
      { budget, models: ['gpt-5'] },
      { budget, models: ['gpt-5-mini'] },
      { budget, models: ['*-mini', 'claude-*'] },
      { budget, models: ['vi*'] },
      { budget, models: ['claude-*'] },
      { budget, models: [] },
    ];
    expect(unpriced(models, keys)).toEqual({ key2: ['gpt-*'], key3: ['gpt-*'], key4: ['video'] });
  });

  it('skips the sandbox, which is free', () => {
    expect(unpriced([model('sandbox-video', 'sandbox')])).toEqual({});
  });

  it('omits models whose price is in the catalog, unless the configuration has another price', () => {
    const models = [model('gpt-5', 'chat'), model('own', 'chat'), model('clip', 'video', { price: { input: 1 } })];
    expect(unpriced(models, [{ budget }], ({ id }) => id !== 'own')).toEqual({ key0: ['own', 'clip (video)'] });
  });
});
