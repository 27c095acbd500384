import { accountName, GatewayError, type RealtimeCapability } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import { readSessionQuery, type SessionQuery } from '@sluice/protocols';
import { findModel, type ModelCall } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import type { Routable } from '../routing/pools/order-routes.ts';
import { poolTargets } from '../routing/pools/pool-targets.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import type { RealtimeDeps } from './realtime-deps.ts';

export interface RealtimeTarget extends Routable {
  target: { upstream: string; model: string; credential?: string };
  capability: RealtimeCapability;
}

export interface RealtimePlan {
  model: string;
  /** At least one target, in the order of the configuration. */
  targets: readonly RealtimeTarget[];
  query: SessionQuery;
  configuredModel: ModelConfig;
}

/** @throws GatewayError if the model is missing, unknown, not allowed, or not a realtime model */
export function planRealtime(
  deps: Pick<RealtimeDeps, 'catalog' | 'accounts' | 'credentials' | 'defaultModel'>,
  call: ModelCall,
  requestQuery: Readonly<Record<string, unknown>>,
): RealtimePlan {
  // A vendor's API allows sessions without a model. In this case, the default model determines the vendor.
  const { model = deps.defaultModel } = requestQuery;
  if (typeof model !== 'string' || model === '') {
    throw new GatewayError('invalid_request', 'The query parameter `model` is required exactly once.', {
      param: 'model',
    });
  }
  const query = readSessionQuery(requestQuery);
  if (query.refersToVendor && !call.apiKey.mayUseVendorReferences) {
    throw new GatewayError(
      'unsupported_parameter',
      '`call_id` refers to a call at a vendor. Ask the operator to set `vendor_references` for this key.',
      { param: 'call_id' },
    );
  }
  const resolvedModel = findModel(deps.catalog, call, model);
  const isAllowed = mayServe(resolvedModel, 'realtime');
  const targets = poolTargets(resolvedModel, deps.credentials, ({ target }): RealtimeTarget[] => {
    const capability = deps.accounts.get(accountName(target))?.realtime;
    return capability && isAllowed ? [{ target, capability }] : [];
  });
  if (targets.length > 0) return { model, targets, query, configuredModel: resolvedModel.model };
  throw unsuitableModel(model, 'support realtime sessions');
}
