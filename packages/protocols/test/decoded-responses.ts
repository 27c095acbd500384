import type { GenerationRequest, Loss } from '@sluice/canonical';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { createTokenCodec } from '../src/text/token-codec.ts';
import { decodeRequest } from '../src/responses/client/decode-request.ts';
import type { JsonObject } from '../src/json/values.ts';

/** Seals what clients carry. */
export const tokenCodec = createTokenCodec('secret');

/** Reads a request; gives what was lost beside it. */
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

/** What the published client's types allow. */
export function decodeTyped(body: Partial<ResponseCreateParams>): { request: GenerationRequest; losses: Loss[] } {
  return decode({ ...body });
}

/** The messages that an input comes to. */
export const messagesOf = (input: unknown): GenerationRequest['messages'] => decode({ input }).request.messages;
/** A call in an input. */
export const call = { type: 'function_call', call_id: 'call_1', name: 'f', arguments: '{"a":1}' };
/** A message in an input. */
export const user = { role: 'user', content: 'hi' };
/** An item that changes the settings. */
export const update = (effort: string): JsonObject => ({ type: 'configuration_update', reasoning: { effort } });
/** A function with a description. */
export const describedTool = (description: string): JsonObject => ({ type: 'function', name: 'f', description });
/** The tools that a request comes to. */
export const toolsOf = (body: JsonObject): GenerationRequest['tools'] => decode({ input: 'x', ...body }).request.tools;
