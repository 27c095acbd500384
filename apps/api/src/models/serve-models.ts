import { GatewayError } from '@sluice/canonical';
import type { ModelConfig } from '@sluice/config';
import {
  decodeModelPaging,
  type EncodeError,
  encodeModel,
  encodeModelList,
  type ListedModel,
  modelListStyle,
  type ModelListStyle,
  modelPage,
} from '@sluice/protocols';
import { mayServe } from '../routing/may-serve.ts';
import { printable } from '../http/printable.ts';
import { sendError } from '../http/send-error.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';

/** What models are listed from. */
export type ModelsDeps = Pick<GenerationDeps, 'catalog' | 'accounts' | 'protocols'>;

/** Nothing is waited for: whether the client has left makes no difference. */
type Asked = Omit<TextCall, 'signal'>;

/**
 * Lists the models that a key may use, or tells one of them, in the style that the client reads. Errors have that
 * style, too. Models that are declared by a pattern are not listed, since nobody knows their names; each is found by its
 * own.
 */
export async function serveModels(deps: ModelsDeps, call: Asked): Promise<unknown> {
  const style = styleOf(call);
  try {
    const response = call.endpoint.action === 'models.list' ? list(deps, call, style) : retrieve(deps, call, style);
    return call.reply.send(response);
  } catch (error) {
    if (error instanceof GatewayError) return sendError(call.reply, error, errorsOf(deps, call, style));
    throw error;
  }
}

function list(deps: ModelsDeps, { apiKey, request }: Asked, style: ModelListStyle): unknown {
  const paging = decodeModelPaging(style, request.query);
  const usable = deps.catalog.list().filter(({ id }) => apiKey.allows(id));
  return encodeModelList(
    style,
    modelPage(
      usable.map((model) => listed(deps, model.id, model)),
      paging,
    ),
  );
}

function retrieve(deps: ModelsDeps, { apiKey, request }: Asked, style: ModelListStyle): unknown {
  const { '*': asked = '' } = request.params as { '*'?: string }; // the route ends in a wildcard
  // Clients of the generative protocol put `models/` before the id.
  for (const id of new Set([asked, asked.replace(/^models\//, '')])) {
    const found = apiKey.allows(id) ? deps.catalog.find(id) : undefined;
    if (found) return encodeModel(style, listed(deps, id, found.model));
  }
  // Whether there is one that this key may not use is not told.
  const near = deps.catalog.near(asked).filter((id) => apiKey.allows(id));
  const hint = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : '';
  throw new GatewayError('model_not_found', `There is no model ${printable(asked)}.${hint}`, { param: 'model' });
}

function listed({ accounts }: ModelsDeps, id: string, model: ModelConfig): ListedModel {
  const makes = (capability: 'text' | 'embedding'): boolean =>
    mayServe({ model }, capability) &&
    model.routes.some(({ upstream }) => accounts.get(upstream)?.[capability] !== undefined);
  return { id, isText: makes('text'), embeds: makes('embedding') };
}

function styleOf({ endpoint, request }: Asked): ModelListStyle {
  if (endpoint.path.startsWith('/v1beta/')) return 'generative';
  return modelListStyle(request.headers, request.query as Record<string, unknown>); // as the router parsed it
}

function errorsOf({ protocols }: ModelsDeps, { endpoint }: Asked, style: ModelListStyle): EncodeError {
  switch (style) {
    case 'messages':
      return protocols.messages.encodeError;
    case 'generative':
      return protocols['generative-content'].encodeError;
    case 'default':
      return endpoint.protocol.encodeError;
  }
}
