import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '../../schema/json.ts';
import { countInput } from '../../text/complete-request.ts';
import type { Completion } from '../../text/completion.ts';
import { serveText, type TextWire } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkCountRequest, checkMessagesRequest } from '../messages/check-messages-request.ts';
import { decodeMessagesRequest } from '../messages/decode-messages-request.ts';
import { formatMessagesFault, invalidMessages } from '../messages/messages-error.ts';
import { completeMessage, messageEvents, type MessagesHead, messagesFailure } from '../messages/messages-response.ts';

const WIRE: TextWire = { name: 'vertex-messages', fault: formatMessagesFault };
/** Vertex AI's own version, or the date that @anthropic-ai/vertex-sdk 1.1.3 moves from its header to the body. */
const VERSION = /^(?:vertex-2023-10-16|\d{4}-\d{2}-\d{2})$/;

/** Removes the version from the body, and adds the model of the path. @throws WireError 400 */
function bodyOf({ body }: FastifyRequest, model?: string): object {
  const { anthropic_version: version, ...rest } = isObject(body) ? body : {};
  if (version === undefined) throw invalidMessages('anthropic_version: Field required');
  if (typeof version !== 'string' || !VERSION.test(version)) {
    throw invalidMessages("anthropic_version: Input should be 'vertex-2023-10-16'");
  }
  if (model === undefined) return rest;
  if ('model' in rest) throw invalidMessages('model: Extra inputs are not permitted');
  return { ...rest, model };
}

/** Serves Claude's `:rawPredict` and `:streamRawPredict`. */
export function serveClaude(
  vendor: TextVendor,
  request: FastifyRequest,
  reply: FastifyReply,
  { model, stream }: { model: string; stream: boolean },
): FastifyReply | Promise<FastifyReply> {
  if (model === 'count-tokens') {
    const counted = decodeMessagesRequest(checkCountRequest(bodyOf(request), vendor.secretStore));
    return reply.send({ input_tokens: countInput(counted).input });
  }
  const body = checkMessagesRequest(bodyOf(request, model), vendor.secretStore);
  if ((body.stream === true) !== stream) throw invalidMessages('stream: does not match the method');
  const { thinking } = body;
  const head: MessagesHead = {
    id: `msg_vrtx_01${vendor.newId().slice(0, 22)}`,
    model,
    omitThinking: thinking !== undefined && 'display' in thinking && thinking.display === 'omitted',
    secretStore: vendor.secretStore,
    newToolUseId: () => `toolu_vrtx_01${vendor.newId().slice(0, 22)}`,
  };
  const call = {
    request: decodeMessagesRequest(body),
    stream,
    body: (response: Completion) => completeMessage(response, head),
    frames: (response: Completion) => messageEvents(response, head),
    failure: messagesFailure,
  };
  return serveText(vendor, WIRE, call, reply);
}
