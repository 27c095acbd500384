import { doPatternsMeet } from './do-patterns-meet.ts';
import { capabilitiesOfModel } from './model-capabilities.ts';
import { modelCatalog } from './model-catalog.ts';
import type { ModelPrice } from './price-schema.ts';
import { SANDBOX } from './sandbox.ts';
import type { ConfigFile, ModelConfig } from './schema.ts';
import type { ModelCapability } from '@sluice/vendors';

/** A key whose budget does not count some of what it may use. */
export interface UnpricedUse {
  key: string;
  /** Ids or patterns of models; with what is free of it where the rest has a price: `video (video)`. */
  models: string[];
}

/** What has a price when one of these is told, beside `request`. */
const PRICED_BY: Readonly<Record<ModelCapability, readonly (keyof ModelPrice)[]>> = {
  text: ['input', 'output'],
  embedding: ['input'],
  rerank: ['input'],
  moderation: ['input'],
  speech: ['characters', 'input', 'output'],
  transcription: ['input', 'output'],
  realtime: ['input', 'output'],
  image: ['image'],
  video: ['video_second'],
};

/** Finds, for each key with a budget, the models that it may use and that cost it nothing because they have no price. */
export function unpricedModels(config: Pick<ConfigFile, 'keys' | 'models' | 'upstreams' | 'defaults'>): UnpricedUse[] {
  const free = config.models.flatMap((model) => {
    const what = isOfSandbox(model) ? undefined : freeOf(config, model);
    return what === undefined ? [] : [{ model, what }];
  });
  const catalog = modelCatalog(config);
  return config.keys.flatMap(({ name, models: allowed, budget }) => {
    if (!budget) return [];
    const mayUse = ({ id }: ModelConfig) =>
      allowed?.some((one) => (one.includes('*') ? doPatternsMeet(one, id) : catalog.find(one)?.model.id === id)) ??
      true;
    const models = free.filter(({ model }) => mayUse(model)).map(({ model, what }) => model.id + what);
    return models.length > 0 ? [{ key: name, models }] : [];
  });
}

/** What of a model costs nothing: all of it (''), a part in words, or undefined for nothing. */
function freeOf(config: Pick<ConfigFile, 'upstreams' | 'defaults'>, model: ModelConfig): string | undefined {
  const { price = {}, capabilities } = model;
  const told = Object.entries(price).flatMap(([field, usd]) => (usd === undefined ? [] : [field]));
  if (told.length === 0) return '';
  const made = capabilitiesOfModel(config, model);
  // Of a kind that makes several things only the vendor knows which of them this model makes.
  if (told.includes('request') || (!capabilities && made.length > 1)) return undefined;
  const left = made.filter((one) => !PRICED_BY[one].some((field) => told.includes(field)));
  return left.length > 0 ? ` (${left.join(', ')})` : undefined;
}

function isOfSandbox({ routes }: ModelConfig): boolean {
  return routes.every(({ upstream }) => Object.hasOwn(SANDBOX.upstreams, upstream));
}
