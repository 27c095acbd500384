import { expect, it } from 'vitest';
import { nestedOptions, vendorOptions } from './vendor-options.ts';

it('removes planned fields from metadata, in any case', () => {
  const metadata = { mode: 'pro', nested: { model: 'stays' }, Model: 'x', ' prompt ': 'x', PROMPT: 'x' };
  expect(vendorOptions(metadata, ['model', 'Prompt'])).toEqual({ mode: 'pro', nested: { model: 'stays' } });
  expect(vendorOptions(undefined, [])).toEqual({});
});

it.each([
  ['sampleRate', 'sample_rate'],
  ['sample_rate', 'sampleRate'],
  ['sample-rate', 'Sample_Rate'],
])('%s matches the planned field %s', (name, decided) => {
  expect(vendorOptions({ [name]: 1 }, [decided])).toEqual({});
});

it.each([
  'n',
  'N',
  'num_images',
  'numOutputs',
  'number_of_images',
  'max-images',
  'sample_count',
  'sampleCount',
  'batch_size',
])('never sets the number of outputs: %s', (name) => {
  expect(vendorOptions({ [name]: 4 }, [])).toEqual({});
});

it.each([
  'call_back_url',
  'callback',
  'callback_url',
  'callBackUrl',
  'webhook',
  'web_hook_url',
  'webhookEvents',
  'notify_url',
])('never sets a callback: %s', (name) => {
  expect(vendorOptions({ [name]: 'https://client.example/hook' }, [])).toEqual({});
});

it('reads options nested under a name', () => {
  expect(nestedOptions({ input: { a: 1 } }, 'input')).toEqual({ a: 1 });
  for (const input of [undefined, null, 'x', 1, ['x']]) expect(nestedOptions({ input }, 'input')).toEqual({});
  expect(nestedOptions(undefined, 'input')).toEqual({});
});
