import { describe, expect, it } from 'vitest';
import { modelCatalog } from './model-catalog.ts';
import { ConfigSchema } from '../schema/schema.ts';

const route = (upstream: string, model: string) => ({ upstream, model });
const catalog = modelCatalog(
  ConfigSchema.parse({
    models: [
      { id: 'gpt-*', routes: [route('a', '*'), route('b', 'openai/gpt-*')] },
      { id: 'gpt-4*', routes: [route('never', '*')] },
      { id: 'gpt-4', routes: [route('c', 'four')] },
      { id: 'sora', routes: [route('c', 'sora-2')] },
      { id: 'any/*', routes: [route('d', 'literal')] },
      { id: 'odd-*', routes: [{ ...route('e', '*'), quirks: { sampling: false } }], strict: true },
    ],
  }),
);

describe('modelCatalog', () => {
  it('prefers the exact id to every pattern', () => {
    expect(catalog.find('gpt-4')).toMatchObject({ model: { id: 'gpt-4' }, targets: [route('c', 'four')] });
  });

  it('uses the first matching pattern and fills the matched text into its routes', () => {
    expect(catalog.find('gpt-4o')).toMatchObject({
      model: { id: 'gpt-*' },
      targets: [route('a', '4o'), route('b', 'openai/gpt-4o')],
    });
  });

  it('returns the same targets for the same id, and forgets ids of patterns beyond a limit', () => {
    expect(catalog.find('gpt-5')?.targets).toBe(catalog.find('gpt-5')?.targets);
    const first = catalog.find('gpt-5')?.targets;
    for (let n = 0; n < 1_000; n += 1) catalog.find(`gpt-${n}x`);
    expect(catalog.find('gpt-5')?.targets).not.toBe(first);
    expect(catalog.find('gpt-5')?.targets).toEqual(first);
    const long = `gpt-${'x'.repeat(300)}`;
    expect(catalog.find(long)?.targets).not.toBe(catalog.find(long)?.targets);
  });

  it("keeps a literal name in a pattern's route", () => {
    expect(catalog.find('any/thing')?.targets).toEqual([route('d', 'literal')]);
  });

  it('returns the quirks of a route and the strictness of the model', () => {
    expect(catalog.find('odd-one')).toMatchObject({
      model: { strict: true },
      targets: [{ upstream: 'e', model: 'one', quirks: { sampling: false } }],
    });
    expect(catalog.find('sora')?.model.strict).toBe(false);
  });

  it('finds nothing for unknown ids and names of object properties', () => {
    expect(catalog.find('claude')).toBeUndefined();
    expect(catalog.find('constructor')).toBeUndefined();
  });

  it('lists the exact ids in the order of declaration', () => {
    expect(catalog.list().map((model) => model.id)).toEqual(['gpt-4', 'sora']);
  });

  it('returns the exact ids that are similar to an unknown one', () => {
    expect(catalog.near('soar')).toEqual(['sora']);
  });
});
