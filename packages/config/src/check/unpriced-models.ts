import { doPatternsMeet } from '../patterns/do-patterns-meet.ts';
import { capabilitiesOfModel } from '../models/model-capabilities.ts';
import { modelCatalog } from '../models/model-catalog.ts';
import type { ModelPrice } from '../schema/price-schema.ts';
import { SANDBOX } from '../schema/sandbox.ts';
import type { ConfigFile, ModelConfig } from '../schema/schema.ts';
import type { ModelCapability } from '@sluice/vendors';

export interface UnpricedUse {
  key: string;
  /** Model ids or patterns. If only some capabilities are unpriced, they follow in parentheses: `my-model (video)`. */
  models: string[];
}

/** Price fields that cover a capability. A `request` price covers every capability. */
const PRICED_BY: Readonly<Record<ModelCapability, readonly (keyof ModelPrice)[]>> = {
  text: ['input', 'output'],
  embedding: ['input'],
  rerank: ['input'],
  moderation: ['input'],
  speech: ['characters', 'input', 'output'],
  transcription: ['audio_second', 'input', 'output'],
  realtime: ['input', 'output'],
  image: ['image', 'image_prices'],
  video: ['video_second', 'video_second_prices'],
};

/**
 * Finds the unpriced models that each key with a budget may use.
 * @param inCatalog whether the price catalog has the price of a model without a configured price
 */
export function unpricedModels(
  config: Pick<ConfigFile, 'keys' | 'models' | 'upstreams' | 'defaults'>,
  inCatalog: (model: ModelConfig) => boolean = () => false,
): UnpricedUse[] {
  if (!config.keys.some(({ budget }) => budget)) return [];
  const free = config.models.flatMap((model) => {
    const isPriced = isOfSandbox(model) || (!hasPrice(model) && inCatalog(model));
    const suffix = isPriced ? undefined : freeCapabilities(config, model);
    return suffix === undefined ? [] : [{ model, suffix }];
  });
  const catalog = modelCatalog(config);
  return config.keys.flatMap(({ name, models: allowed, budget }) => {
    if (!budget) return [];
    const mayUse = ({ id }: ModelConfig) =>
      allowed?.some((one) => (one.includes('*') ? doPatternsMeet(one, id) : catalog.find(one)?.model.id === id)) ??
      true;
    const models = free.filter(({ model }) => mayUse(model)).map(({ model, suffix }) => model.id + suffix);
    return models.length > 0 ? [{ key: name, models }] : [];
  });
}

function hasPrice({ price = {} }: ModelConfig): boolean {
  return Object.values(price).some((field) => field !== undefined);
}

/** Formats a model's unpriced capabilities. Returns '' if all are unpriced, and undefined if none are. */
function freeCapabilities(config: Pick<ConfigFile, 'upstreams' | 'defaults'>, model: ModelConfig): string | undefined {
  const { price = {}, capabilities } = model;
  const priceFields = Object.entries(price).flatMap(([field, usd]) => (usd === undefined ? [] : [field]));
  if (priceFields.length === 0) return '';
  const served = capabilitiesOfModel(config, model);
  // If a model has several possible capabilities, only the vendor knows which ones it has.
  if (priceFields.includes('request') || (!capabilities && served.length > 1)) return undefined;
  const free = served.filter((one) => !PRICED_BY[one].some((field) => priceFields.includes(field)));
  return free.length > 0 ? ` (${free.join(', ')})` : undefined;
}

/** Whether only the sandbox serves the model, so that its requests cost nothing. */
export function isOfSandbox({ routes }: Pick<ModelConfig, 'routes'>): boolean {
  return routes.every(({ upstream }) => Object.hasOwn(SANDBOX.upstreams, upstream));
}
