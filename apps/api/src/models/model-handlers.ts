import { GatewayError } from '@sluice/canonical';
import { MODEL_CAPABILITIES, type ModelCapability, type ModelCatalog, type ModelConfig } from '@sluice/config';
import {
  decodeModelPaging,
  type EncodeError,
  encodeModel,
  encodeModelList,
  generativeContentProtocol,
  type ListedModel,
  messagesProtocol,
  modelListStyle,
  type ModelListStyle,
  modelPage,
  type ModelsAction,
  type TextEndpoint,
} from '@sluice/protocols';
import type { Upstreams } from '@sluice/upstreams';
import type { ClientCall, EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { sendError } from '../http/send-error.ts';
import { modelNotFound } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';

export interface ModelsDeps {
  catalog: ModelCatalog;
  accounts: Upstreams['accounts'];
}

type ModelsCall = ClientCall<TextEndpoint>;

/**
 * Handlers that list a key's models and retrieve one, in the client's protocol. Models declared by a pattern are not
 * listed, because their names are unknown, but they can be retrieved.
 */
export function modelHandlers(deps: ModelsDeps): EndpointHandlers<ModelsAction> {
  const handler = (
    respond: (deps: ModelsDeps, call: ModelsCall, style: ModelListStyle) => unknown,
  ): EndpointHandler<TextEndpoint> => ({
    readsBytes: true,
    serve: (call) => {
      const style = styleOf(call);
      try {
        return call.reply.send(respond(deps, call, style));
      } catch (error) {
        if (error instanceof GatewayError) return sendError(call.reply, error, errorEncoderOf(call, style));
        throw error;
      }
    },
  });
  return { 'models.list': handler(listModels), 'models.retrieve': handler(retrieveModel) };
}

function listModels(deps: ModelsDeps, { apiKey, request }: ModelsCall, style: ModelListStyle): unknown {
  const paging = decodeModelPaging(style, request.query);
  const usable = deps.catalog.list().filter(({ id }) => apiKey.allows(id));
  const listed = usable.map((model) => listedModel(deps, model.id, model));
  return encodeModelList(style, modelPage(listed, paging));
}

function retrieveModel(deps: ModelsDeps, { apiKey, request }: ModelsCall, style: ModelListStyle): unknown {
  // The cast is safe because the route ends in a wildcard.
  const { '*': requested = '' } = request.params as { '*'?: string };
  // Clients of the generative protocol prefix the id with `models/`.
  for (const id of new Set([requested, requested.replace(/^models\//, '')])) {
    const resolvedModel = apiKey.allows(id) ? deps.catalog.find(id) : undefined;
    if (resolvedModel) return encodeModel(style, listedModel(deps, id, resolvedModel.model));
  }
  // A model that exists but is not allowed for this key causes the same error.
  throw modelNotFound(deps.catalog, apiKey, requested);
}

function listedModel({ accounts }: ModelsDeps, id: string, model: ModelConfig): ListedModel {
  const supports = (capability: ModelCapability): boolean =>
    mayServe({ model }, capability) &&
    model.routes.some(({ upstream }) => accounts.get(upstream)?.[capability] !== undefined);
  return { id, capabilities: MODEL_CAPABILITIES.filter(supports) };
}

function styleOf({ endpoint, request }: ModelsCall): ModelListStyle {
  if (endpoint.path.startsWith('/v1beta/')) return 'generative';
  return modelListStyle(request.headers, request.query as Record<string, unknown>);
}

function errorEncoderOf({ endpoint }: ModelsCall, style: ModelListStyle): EncodeError {
  switch (style) {
    case 'messages':
      return messagesProtocol.encodeError;
    case 'generative':
      return generativeContentProtocol.encodeError;
    case 'default':
      return endpoint.protocol.encodeError;
  }
}
