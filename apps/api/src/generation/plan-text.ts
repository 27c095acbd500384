import { GatewayError, GATEWAY_MESSAGES, type Loss } from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import {
  type PathRequest,
  readTextRequest,
  splitModelPath,
  type TextProtocol,
  type TextRequest,
} from '@sluice/protocols';
import { endUserOf } from '../ledger/end-user.ts';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import type { GenerationDeps, TextCall } from './generation-deps.ts';
import type { RequestFiles } from './references/request-files.ts';
import { refuseOtherModels } from './refuse-other-models.ts';

export interface TextPlan {
  request: TextRequest;
  resolvedModel: ResolvedModel;
  /** Files that the request still refers to, because some upstreams store them. */
  files?: RequestFiles;
  /** At least one target, in the order of the configuration. */
  targets: readonly RoutedTarget[];
}

/** The same request for other upstreams, if those of the plan fail. */
export interface AlternativePlan {
  plan: TextPlan;
  /** Parts of the conversation that the other upstreams cannot receive. */
  losses: readonly Loss[];
}

type PlanDeps = Pick<GenerationDeps, 'catalog' | 'targetsOf'>;

/** Reads a request, and finds the upstreams that can serve it. @throws GatewayError as {@link planRequest} */
export function planText(deps: PlanDeps, call: TextCall): TextPlan {
  const { endpoint, request } = call;
  expectVersion(endpoint.protocol, request.headers);
  return planRequest(deps, call, readTextRequest(endpoint.protocol, bodyOf(call), pathOf(call)));
}

/** @throws GatewayError if the request is invalid, or its model is unknown, not allowed, or of another kind */
export function planRequest({ catalog, targetsOf }: PlanDeps, call: TextCall, request: TextRequest): TextPlan {
  const { apiKey, endpoint } = call;
  call.request.ledger?.setUser(endUserOf(request));
  const resolvedModel = findModel(catalog, call, request.model);
  const { name: clientProtocol } = endpoint.protocol;
  const targets = targetsOf(resolvedModel, clientProtocol);
  if (targets.some(({ target }) => target.protocol === clientProtocol)) refuseOtherModels(apiKey, request);
  if (targets.length > 0 && mayServe(resolvedModel, 'text')) return { request, resolvedModel, targets };
  throw unsuitableModel(request.model, 'generate text');
}

/** Returns the request's body. A missing body is read as `{}`, so that the error names the missing field. */
export function bodyOf({ request }: TextCall): Uint8Array {
  const { body } = request;
  if (Buffer.isBuffer(body) && body.length > 0) return body;
  return Buffer.from('{}');
}

/** The messages protocol requires a version header, but its value makes no difference here. */
export function expectVersion({ name }: TextProtocol, headers: TextCall['request']['headers']): void {
  if (name !== 'messages') return;
  if (headers['messages-version'] ?? headers['anthropic-version']) return;
  throw new GatewayError(
    'invalid_request',
    'The header `anthropic-version` (or `messages-version`) is required (e.g. 2023-06-01).',
    { param: 'messages-version' },
  );
}

/** Reads the model and the stream mode from the path, if it contains them. @throws GatewayError `not_found` */
export function pathOf({ endpoint, request }: TextCall): PathRequest | undefined {
  if (endpoint.verb === undefined) return undefined;
  // The cast is safe because routes with an action suffix end in a wildcard.
  const wildcard = (request.params as { '*'?: string })['*'] ?? '';
  const split = splitModelPath(wildcard);
  if (!split) throw new GatewayError('not_found', GATEWAY_MESSAGES.noModelInPath);
  return { model: split.model, stream: endpoint.verb === 'streamGenerateContent' };
}
