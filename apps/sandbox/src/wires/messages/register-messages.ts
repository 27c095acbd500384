import type { FastifyInstance } from 'fastify';
import type { Completion } from '../../text/completion.ts';
import { countInput } from '../../text/complete-request.ts';
import { openTextScope } from '../../text/open-text-scope.ts';
import { serveText, type TextWire } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkCountRequest, checkMessagesRequest } from './check-messages-request.ts';
import { messageEvents, type MessagesHead, messagesFailure, completeMessage } from './messages-response.ts';
import { messagesError, formatMessagesFault } from './messages-error.ts';
import { checkMessagesClient } from './check-messages-client.ts';
import { decodeMessagesRequest } from './decode-messages-request.ts';

const WIRE: TextWire = { name: 'messages', fault: formatMessagesFault };

export function registerMessages(scope: FastifyInstance, vendor: TextVendor): void {
  openTextScope(scope, vendor, {
    name: WIRE.name,
    requestIdHeader: 'request-id',
    authenticate: (request) => checkMessagesClient(request, vendor.apiKey),
    formatHttpError: (status, message) => messagesError(status, message),
  });

  scope.post('/messages', (request, reply) => {
    const body = checkMessagesRequest(request.body, vendor.secretStore);
    const { thinking } = body;
    const head: MessagesHead = {
      id: `msg_01${vendor.newId().slice(0, 22)}`,
      model: body.model,
      omitThinking: thinking !== undefined && 'display' in thinking && thinking.display === 'omitted',
      secretStore: vendor.secretStore,
      newToolUseId: () => `toolu_01${vendor.newId().slice(0, 22)}`,
    };
    const call = {
      request: decodeMessagesRequest(body),
      stream: body.stream === true,
      body: (response: Completion) => completeMessage(response, head),
      frames: (response: Completion) => messageEvents(response, head),
      failure: messagesFailure,
    };
    return serveText(vendor, WIRE, call, reply);
  });

  scope.post('/messages/count_tokens', (request, reply) => {
    const incoming = decodeMessagesRequest(checkCountRequest(request.body, vendor.secretStore));
    return reply.send({ input_tokens: countInput(incoming).input });
  });
}
