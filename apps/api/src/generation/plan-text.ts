import { GatewayError } from '@sluice/canonical';
import type { FoundModel } from '@sluice/config';
import {
  type PathRequest,
  readTextRequest,
  splitModelPath,
  type TextProtocol,
  type TextRequest,
} from '@sluice/protocols';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { printable } from '../http/printable.ts';
import { type RoutedTarget, textTargets } from '../routing/targets.ts';
import { refuseOtherModels } from './refuse-other-models.ts';
import type { TextCall, GenerationDeps } from './text-services.ts';

/** A request and where it may go. */
export interface TextPlan {
  request: TextRequest;
  found: FoundModel;
  /** In the order of the configuration; at least one. */
  targets: RoutedTarget[];
}

/**
 * Reads a request, checks it, and finds out where its model is served.
 * @throws GatewayError
 */
export function planText(deps: GenerationDeps, call: TextCall): TextPlan {
  const { endpoint, request } = call;
  expectVersion(endpoint.protocol, request.headers);
  return planRequest(deps, call, readTextRequest(endpoint.protocol, bodyOf(call), pathOf(call)));
}

/** The same for a request that has been read. */
export function planRequest(deps: GenerationDeps, { apiKey, endpoint }: TextCall, request: TextRequest): TextPlan {
  const found = findModel(deps.catalog, apiKey, request.model);
  const targets = textTargets({
    found,
    accounts: deps.accounts,
    upstreams: deps.upstreams,
    clientProtocol: endpoint.protocol.name,
  });
  if (targets.some(({ target }) => target.protocol === endpoint.protocol.name)) refuseOtherModels(apiKey, request);
  if (targets.length > 0 && mayServe(found, 'text')) return { request, found, targets };
  throw new GatewayError('invalid_request', `The model ${printable(request.model)} does not make text.`, {
    param: 'model',
  });
}

/** A request's body; no body counts as an empty one, so that what is missing is told by name. */
export function bodyOf({ request }: TextCall): Uint8Array {
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  return Buffer.from('{}');
}

/** The interface wants the version of the messages protocol to be told; which one makes no difference here. */
export function expectVersion({ name }: TextProtocol, headers: TextCall['request']['headers']): void {
  if (name !== 'messages') return;
  if (headers['messages-version'] ?? headers['anthropic-version']) return;
  throw new GatewayError(
    'invalid_request',
    'The header anthropic-version (or messages-version) is required, e.g. 2023-06-01.',
    {
      param: 'messages-version',
    },
  );
}

/** What the path says, for protocols that name the model there. @throws GatewayError `not_found` */
export function pathOf({ endpoint, request }: TextCall): PathRequest | undefined {
  if (endpoint.verb === undefined) return undefined;
  const wildcard = (request.params as { '*'?: string })['*'] ?? ''; // the routes of verbs end in one
  const split = splitModelPath(wildcard);
  if (!split) throw new GatewayError('not_found', 'The path names no model.');
  return { model: split.model, stream: endpoint.verb === 'streamGenerateContent' };
}
