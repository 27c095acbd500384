import type { GenerationRequest, Loss } from '@sluice/canonical';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { createTokenCodec } from '../src/text/token-codec.ts';
import { decodeRequest } from '../src/responses/client/decode-request.ts';
import type { JsonObject } from '../src/json/values.ts';

export const tokenCodec = createTokenCodec('secret');

/** Decodes a request and collects its losses. */
export function decode(body: JsonObject): { request: GenerationRequest; losses: Loss[] } {
  const losses: Loss[] = [];
  const request = decodeRequest({
    body: { model: 'm', ...body },
    model: 'm',
    stream: body['stream'] === true,
    tokenCodec,
    report: (loss) => losses.push(loss),
  });
  return { request, losses };
}

/** Decodes a body that the published client's types allow. */
export function decodeTyped(body: Partial<ResponseCreateParams>): { request: GenerationRequest; losses: Loss[] } {
  return decode({ ...body });
}

export const messagesOf = (input: unknown): GenerationRequest['messages'] => decode({ input }).request.messages;
/** An input item with a call. */
export const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' };
/** An input item with a user message. */
export const user = { role: 'user', content: 'hi' };
/** Creates an input item that changes the settings. */
export const update = (effort: string): JsonObject => ({ type: 'configuration_update', reasoning: { effort } });
export const describedTool = (description: string): JsonObject => ({ type: 'function', name: 'f', description });
export const toolsOf = (body: JsonObject): GenerationRequest['tools'] => decode({ input: 'x', ...body }).request.tools;
