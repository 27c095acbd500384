import { type DirectCapabilities, type DirectKind, GatewayError, type TextQuirks } from '@sluice/canonical';
import type { FoundModel } from '@sluice/config';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { printable } from '../http/printable.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';

/** A model at an upstream that serves the wish. */
export interface DirectTarget<K extends DirectKind> {
  /** The upstream's name in the configuration, and the model's name there. */
  target: { upstream: string; model: string };
  /** How the model differs, where its route says so. */
  quirks?: TextQuirks;
  capability: NonNullable<DirectCapabilities[K]>;
}

/** Where a wish may go. */
export interface DirectPlan<K extends DirectKind> {
  /** The model that was asked for. */
  model: string;
  found: FoundModel;
  /** In the order of the configuration; at least one. */
  targets: DirectTarget<K>[];
}

/** What models of each kind do, for those that do not. */
const CAPABILITY_VERBS: Readonly<Record<DirectKind, string>> = {
  moderation: 'classify contents',
  speech: 'speak',
  transcription: 'write down audio',
  embedding: 'make vectors',
  rerank: 'rank documents',
};

/**
 * Finds out where a wish can be granted.
 * @param asked the model that the client has named
 * @throws GatewayError for a model that is missing, not there, not allowed, or for something else
 */
export function planDirect<K extends DirectKind>(
  deps: DirectDeps,
  { apiKey }: Pick<DirectClientCall, 'apiKey'>,
  kind: K,
  asked: string | undefined,
): DirectPlan<K> {
  const model = asked ?? deps.defaultModels[kind];
  if (model === undefined) throw new GatewayError('invalid_request', 'model is required.', { param: 'model' });
  const found = findModel(deps.catalog, apiKey, model);
  const serves = mayServe(found, kind);
  const targets = found.targets.flatMap(({ upstream, model: name, quirks }): DirectTarget<K>[] => {
    const capability = deps.accounts.get(upstream)?.[kind];
    return capability && serves ? [{ target: { upstream, model: name }, capability, ...(quirks && { quirks }) }] : [];
  });
  if (targets.length > 0) return { model, found, targets };
  throw new GatewayError('invalid_request', `The model ${printable(model)} does not ${CAPABILITY_VERBS[kind]}.`, {
    param: 'model',
  });
}
