import { GatewayError, type MediaRequest, type Usage } from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import type { Price } from '@sluice/prices';
import { modelOfEndpoint } from '@sluice/protocols';
import { requestedNanos, requestedUnits } from '@sluice/tasks';
import { OUTPUT_TOKENS } from '../metering/charges.ts';
import { taskPrice } from '../metering/task-price.ts';
import { findModel, type ModelCall } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { type LineBody, lineKindOf } from './line-kinds.ts';

/** The maximum use of a request of a batch. */
export interface LineEstimate {
  model: string;
  usage: Usage;
  /** The cost in nano-dollars at the most expensive upstream. Undefined if no upstream has a price. */
  nanos: number | undefined;
}

const NO_TOKENS: Usage = { inputTokens: 0, outputTokens: 0 };

/** Returns the estimator of requests to an endpoint. It throws a GatewayError if the key may not use the model. */
export function lineEstimator(
  { catalog, defaultModels, prices }: Pick<BatchesDeps, 'catalog' | 'defaultModels' | 'prices'>,
  call: ModelCall,
  endpoint: string,
): (body: LineBody) => LineEstimate {
  const { capability, purpose, defaultModel, usageOf = () => NO_TOKENS, mediaOf } = lineKindOf(endpoint);
  const pathModel = modelOfEndpoint(endpoint);
  const models = new Map<string, ResolvedModel>();

  function resolve(model: string): ResolvedModel {
    const known = models.get(model);
    if (known) return known;
    const resolved = findModel(catalog, call, model, 'body.model');
    if (!mayServe(resolved, capability)) throw unsuitableModel(model, purpose, 'body.model');
    models.set(model, resolved);
    return resolved;
  }

  return (body) => {
    const { model: requested = defaultModel && defaultModels[defaultModel] } = body;
    const model = pathModel ?? requested;
    if (typeof model !== 'string') {
      throw new GatewayError('invalid_request', 'body.model is required.', { param: 'body.model' });
    }
    const resolved = resolve(model);
    const usage = usageOf(body, resolved.model.output_tokens ?? OUTPUT_TOKENS);
    const media = mediaOf?.(body);
    const costs = resolved.targets.flatMap((target) => {
      const price = prices.priceOf(resolved.model, target);
      const nanos = media ? mediaNanos(price, media, resolved) : price?.maxNanosOf({ usage });
      return nanos ?? [];
    });
    return { model, usage, nanos: costs.length > 0 ? Math.max(...costs) : undefined };
  };
}

function mediaNanos(price: Price | undefined, request: MediaRequest, { model }: ResolvedModel): number | undefined {
  const seconds = (request.kind === 'video' ? request.seconds : undefined) ?? model.default_seconds;
  const priced = taskPrice(price, request, seconds);
  return priced && requestedNanos(priced, requestedUnits(request, seconds));
}
