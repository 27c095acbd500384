import type { FastifyInstance } from 'fastify';
import type { Completion } from '../../text/completion.ts';
import { serveText } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { openAiTextWire } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { chatChunks, chatCompletion, chatFailure, type ChatHead } from './chat-response.ts';
import { decodeChatRequest } from './decode-chat-request.ts';
import { checkChatRequest } from './check-chat-request.ts';

const WIRE = openAiTextWire('chat-completions', 'messages');

export function registerChatCompletions(scope: FastifyInstance, vendor: TextVendor): void {
  registerOpenAiWire(scope, vendor, WIRE.name);

  scope.post('/chat/completions', (request, reply) => {
    const body = checkChatRequest(request.body);
    const head: ChatHead = {
      id: `chatcmpl-${vendor.newId()}`,
      created: Math.floor(vendor.now() / 1000),
      model: body.model,
      choices: body.n ?? 1,
      newCallId: () => `call_${vendor.newId().slice(0, 24)}`,
      isLegacy: body.functions !== undefined,
    };
    const includeUsage = body.stream_options?.include_usage === true;
    const call = {
      request: decodeChatRequest(body),
      stream: body.stream === true,
      body: (response: Completion) => chatCompletion(response, head),
      frames: (response: Completion) => chatChunks(response, head, includeUsage),
      failure: chatFailure,
    };
    return serveText(vendor, WIRE, call, reply);
  });
}
