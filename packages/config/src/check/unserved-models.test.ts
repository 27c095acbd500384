import { expect, it } from 'vitest';
import { ConfigSchema } from '../schema/schema.ts';
import { unservedModels } from './unserved-models.ts';

const routes = [{ upstream: 'a', model: '*' }];
const config = ConfigSchema.parse({
  models: [
    { id: 'gpt-*', routes },
    { id: 'sora', routes },
  ],
});

it('finds ids and patterns that match no model, however the models are written', () => {
  const served = ['gpt-4', 'gpt-*', 'gpt-4*', 'g*', '*-mini', '*', 'sora', 's*a'];
  expect(unservedModels(config, served)).toEqual([]);
  const unserved = ['gtp-4', 'gtp-*', 'sora-*', 'soar'];
  expect(unservedModels(config, [...served, ...unserved])).toEqual(unserved);
});
