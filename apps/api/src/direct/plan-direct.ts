import {
  accountName,
  type DirectCapabilities,
  type DirectKind,
  GatewayError,
  type TextQuirks,
} from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import { refuseAmbiguousNames, refuseOtherModelFields } from '@sluice/protocols';
import type { ApiKey } from '../auth/api-keys.ts';
import { hasUsageBounds, isBound } from '../auth/is-bound.ts';
import { endUserOfFields } from '../ledger/end-user.ts';
import { findModel, type ModelCall } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import type { Routable } from '../routing/pools/order-routes.ts';
import { poolTargets } from '../routing/pools/pool-targets.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import type { DirectDeps } from './direct-deps.ts';

export interface DirectTarget<K extends DirectKind> extends Routable {
  target: { upstream: string; model: string; credential?: string };
  quirks?: TextQuirks;
  capability: NonNullable<DirectCapabilities[K]>;
}

export interface DirectPlan<K extends DirectKind> {
  model: string;
  resolvedModel: ResolvedModel;
  targets: readonly DirectTarget<K>[];
}

const PURPOSES: Readonly<Record<DirectKind, string>> = {
  moderation: 'classify content',
  speech: 'generate speech',
  transcription: 'transcribe audio',
  embedding: 'generate embeddings',
  rerank: 'rank documents',
};

/**
 * @param fields sent to upstreams unchanged
 * @throws GatewayError if the model is missing, unknown, not allowed, or of another kind, or if a field is forbidden
 */
export function planDirect<K extends DirectKind>(
  deps: Pick<DirectDeps, 'defaultModels' | 'catalog' | 'accounts' | 'credentials'>,
  call: ModelCall,
  kind: K,
  requested: string | undefined,
  fields: Readonly<Record<string, unknown>> = {},
): DirectPlan<K> {
  const { defaultModels, catalog, accounts, credentials } = deps;
  call.request.ledger?.setUser(endUserOfFields(fields));
  const model = requested ?? defaultModels[kind];
  if (model === undefined) throw new GatewayError('invalid_request', 'model is required.', { param: 'model' });
  const resolvedModel = findModel(catalog, call, model);
  refuseBoundFields(call.apiKey, fields);
  const isAllowed = mayServe(resolvedModel, kind);
  const targets = poolTargets(resolvedModel, credentials, ({ target, route: { quirks } }): DirectTarget<K>[] => {
    const capability = accounts.get(accountName(target))?.[kind];
    return capability && isAllowed ? [{ target, capability, ...(quirks && { quirks }) }] : [];
  });
  if (targets.length > 0) return { model, resolvedModel, targets };
  throw unsuitableModel(model, PURPOSES[kind]);
}

function refuseBoundFields(apiKey: ApiKey, fields: Readonly<Record<string, unknown>>): void {
  if (hasUsageBounds(apiKey)) refuseAmbiguousNames(Object.keys(fields));
  if (isBound(apiKey)) refuseOtherModelFields((name) => fields[name]);
}
