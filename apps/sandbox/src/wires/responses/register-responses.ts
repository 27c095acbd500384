import type { FastifyInstance } from 'fastify';
import type { Completion } from '../../text/completion.ts';
import { completeRequest, countInput } from '../../text/complete-request.ts';
import { lastUserText, type TextRequest } from '../../text/text-request.ts';
import { serveText } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { directiveNumber } from '../../directives/text-directives.ts';
import { openAiTextWire } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { checkResponsesRequest, readBody } from './check-responses-request.ts';
import { compactionItem, type OutputItem, outputItems } from './output-items.ts';
import { registerStoredResponses } from './register-stored-responses.ts';
import { resolveConversation } from './resolve-conversation.ts';
import { failedEvent, responseEvents } from './response-events.ts';
import { responseObject, type ResponseStatus, usageOf } from './response-object.ts';
import { createResponseStore } from './response-store.ts';
import { decodeResponsesRequest } from './decode-responses-request.ts';
import { CompactRequestSchema, CountRequestSchema } from './responses-request.ts';

const WIRE = openAiTextWire('responses', 'input');

function summaryOf({ turns }: TextRequest): [turns: number, text: string] {
  const spoken = turns.filter(({ role }) => role !== 'system');
  return [spoken.length, lastUserText(turns)];
}

export function registerResponses(scope: FastifyInstance, vendor: TextVendor): void {
  const store = createResponseStore();
  const { secretStore, newId, now } = vendor;
  const source = { store, secretStore, newId };
  registerOpenAiWire(scope, vendor, WIRE.name);
  registerStoredResponses(scope, store, vendor);

  scope.post('/responses', (request, reply) => {
    const body = checkResponsesRequest(request.body);
    const { items, input } = resolveConversation(body, source);
    const incoming = decodeResponsesRequest(body, items, secretStore);
    const compacts = items.at(-1)?.type === 'compaction_trigger';
    const common = { id: `resp_${newId()}`, createdAt: Math.floor(now() / 1000) };
    const summarizes = Boolean(body.reasoning?.summary ?? body.reasoning?.generate_summary);

    function finished(completion: Completion) {
      const output: OutputItem[] = compacts
        ? [compactionItem(...summaryOf(incoming), source)]
        : outputItems(completion, { secretStore, newId, summarizes });
      const cut = !compacts && (completion.finish === 'length' || completion.finish === 'filter');
      const status: ResponseStatus = cut ? 'incomplete' : 'completed';
      const response = responseObject(body, { ...common, status, output, response: completion });
      const streamed = body.stream === true;
      if (body.store !== false) store.add({ response, reply: completion, conversation: items, input, streamed });
      return { response, output };
    }

    if (body.background === true && body.stream !== true) {
      const completion = completeRequest(incoming);
      const { response } = finished(completion);
      const readyAt = now() + (directiveNumber(lastUserText(incoming.turns), 'slow') ?? 0) * 1000;
      store.add({ response, reply: completion, conversation: items, input, readyAt });
      return reply.send(responseObject(body, { ...common, status: 'queued', output: [] }));
    }
    const call = {
      request: incoming,
      stream: body.stream === true,
      body: (completion: Completion) => finished(completion).response,
      *frames(completion: Completion) {
        const { response, output } = finished(completion);
        yield* responseEvents(response, output);
      },
      failure: (sent: number) => failedEvent(responseObject(body, { ...common, status: 'failed', output: [] }), sent),
    };
    return serveText(vendor, WIRE, call, reply);
  });

  scope.post('/responses/input_tokens', (request, reply) => {
    const body = readBody(CountRequestSchema, request.body);
    const { items } = resolveConversation(body, source);
    const { input } = countInput(decodeResponsesRequest(body, items, secretStore));
    return reply.send({ object: 'response.input_tokens', input_tokens: input });
  });

  scope.post('/responses/compact', (request, reply) => {
    const body = readBody(CompactRequestSchema, request.body);
    const { items } = resolveConversation(body, source);
    const incoming = decodeResponsesRequest(body, items, secretStore);
    const userMessages = items.filter((item) => item.type === 'message' && item.role === 'user');
    const tokens = { ...countInput(incoming), output: 1, reasoning: 0 };
    return reply.send({
      id: `resp_${newId()}`,
      object: 'response.compaction',
      created_at: Math.floor(now() / 1000),
      output: [...userMessages, compactionItem(...summaryOf(incoming), source)],
      usage: usageOf({ tokens }),
    });
  });
}
