import { GatewayError, type RealtimeCapability } from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import { readSessionQuery, type SessionQuery } from '@sluice/protocols';
import type { ApiKey } from '../auth/api-keys.ts';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { printable } from '../http/printable.ts';
import type { RealtimeDeps } from './realtime-deps.ts';

/** A model at an upstream that holds realtime sessions. */
export interface RealtimeTarget {
  target: { upstream: string; model: string };
  capability: RealtimeCapability;
}

/** Where a session may be opened. */
export interface RealtimePlan {
  /** The model that was asked for. */
  model: string;
  /** In the order of the configuration; at least one. */
  targets: RealtimeTarget[];
  query: SessionQuery;
  /** What the model costs. */
  price: ModelPrice | undefined;
}

/**
 * Finds out where a session can be opened.
 * @throws GatewayError for a model that is missing, not there, not allowed, or for something else
 */
export function planRealtime(
  deps: Pick<RealtimeDeps, 'catalog' | 'accounts' | 'defaultModel'>,
  apiKey: ApiKey,
  asked: Readonly<Record<string, unknown>>,
): RealtimePlan {
  // Sessions that name none at the vendor may here, too: it says which vendor.
  const { model = deps.defaultModel } = asked;
  if (typeof model !== 'string' || model === '') {
    throw new GatewayError('invalid_request', 'The query parameter model is required, once.', { param: 'model' });
  }
  const query = readSessionQuery(asked);
  if (query.refersToVendor && !apiKey.mayUseVendorReferences) {
    throw new GatewayError(
      'unsupported_parameter',
      'call_id names something that lies at a vendor. Have vendor_references allowed for this key.',
      { param: 'call_id' },
    );
  }
  const found = findModel(deps.catalog, apiKey, model);
  const serves = mayServe(found, 'realtime');
  const targets = found.targets.flatMap(({ upstream, model: name }): RealtimeTarget[] => {
    const capability = deps.accounts.get(upstream)?.realtime;
    return capability && serves ? [{ target: { upstream, model: name }, capability }] : [];
  });
  if (targets.length > 0) return { model, targets, query, price: found.model.price };
  throw new GatewayError('invalid_request', `The model ${printable(model)} does not hold realtime sessions.`, {
    param: 'model',
  });
}
