import { expect, it } from 'vitest';
import { nestedOptions, vendorOptions } from './vendor-options.ts';

it('options are the metadata without what is decided, in whatever case', () => {
  const metadata = { mode: 'pro', nested: { model: 'stays' }, Model: 'x', ' prompt ': 'x', PROMPT: 'x' };
  expect(vendorOptions(metadata, ['model', 'Prompt'])).toEqual({ mode: 'pro', nested: { model: 'stays' } });
  expect(vendorOptions(undefined, [])).toEqual({});
});

it.each(['callback', 'callback_url', 'callBackUrl', 'webhook', 'web_hook_url', 'webhookEvents', 'notify_url'])(
  'no option makes a vendor call somebody: %s',
  (name) => {
    expect(vendorOptions({ [name]: 'https://client.example/hook' }, [])).toEqual({});
  },
);

it('options may be nested under a name', () => {
  expect(nestedOptions({ input: { a: 1 } }, 'input')).toEqual({ a: 1 });
  for (const input of [undefined, null, 'x', 1, ['x']]) expect(nestedOptions({ input }, 'input')).toEqual({});
  expect(nestedOptions(undefined, 'input')).toEqual({});
});
