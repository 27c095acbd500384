import type { FastifyInstance } from 'fastify';
import type { Completion } from '../../text/completion.ts';
import { serveText } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { openAiTextWire } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { chatChunks, chatCompletion, chatFailure, type ChatHead } from './chat-response.ts';
import { decodeChatRequest } from './decode-chat-request.ts';
import { checkChatRequest } from './check-chat-request.ts';

/** Models that the gateway's default configuration names. The sandbox accepts every other name, too. */
const MODELS = ['chat', 'embedding', 'image', 'moderation', 'realtime', 'speech', 'transcription'].map(
  (name) => `sandbox-${name}`,
);

const WIRE = openAiTextWire('chat-completions', 'messages');

export function registerChatCompletions(scope: FastifyInstance, vendor: TextVendor): void {
  registerOpenAiWire(scope, vendor, WIRE.name);

  scope.get('/models', () => ({
    object: 'list',
    data: MODELS.map((id) => ({ id, object: 'model', created: 0, owned_by: 'sandbox' })),
  }));

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
