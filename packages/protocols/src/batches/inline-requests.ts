import { type BatchLine, GatewayError } from '@sluice/canonical';
import { jsonMembers } from '../exchange/json-members.ts';
import { parseInput } from '../json/parse-input.ts';
import { parseJson } from '../json/parse-json.ts';
import { GenerativeLineSchema, GenerativeRequestSchema } from './generative-schema.ts';
import { MESSAGES_ENDPOINT } from './line-endpoints.ts';
import { MessageRequestSchema } from './messages-schema.ts';

/** A request of a batch as a line of an input file. */
export interface InlineRequest {
  customId: string;
  /** The model that the request names. */
  model?: string;
  /** JSON of a {@link BatchLine} without a line break. The body has the same bytes as in the request. */
  line: string;
}

/** @param number of the request, from 1 */
export type DecodeInlineRequest = (bytes: Uint8Array, number: number) => InlineRequest;

/** Where the requests are in the body of a creation. */
export const MESSAGE_REQUESTS_PATH = [['requests']] as const;
export const GENERATIVE_REQUESTS_PATH = [
  ['batch'],
  ['inputConfig', 'input_config'],
  ['requests'],
  ['requests'],
] as const;

/** Decodes a request of Anthropic's batches. @throws GatewayError with the request's path */
export function decodeMessageRequest(bytes: Uint8Array, number: number): InlineRequest {
  const path = `requests[${number - 1}]`;
  return within(path, path, () => {
    const { custom_id: customId, params } = parseInput(MessageRequestSchema, parseJson(bytes));
    const line = lineOf({ custom_id: customId, url: MESSAGES_ENDPOINT }, memberOf(bytes, 'params'));
    return { customId, model: params.model, line };
  });
}

/**
 * Decodes a request of Google's batches, which has no id. Clients that send `systemInstruction` beside the request mean a
 * part of it (@google/genai 3.1, `createInlinedGenerateContentRequest`).
 */
export function generativeRequestDecoder(model: string, url: string): DecodeInlineRequest {
  return (bytes, number) => {
    const path = `batch[inputConfig][requests][requests][${number - 1}]`;
    return within(path, path, () => {
      const { request, metadata, systemInstruction } = parseInput(GenerativeRequestSchema, parseJson(bytes));
      expectModel(request.model, model);
      const customId = `request-${number}`;
      const body =
        systemInstruction === undefined
          ? memberOf(bytes, 'request')
          : JSON.stringify({ ...request, systemInstruction });
      return { customId, line: lineOf({ custom_id: customId, url }, body, metadata ?? undefined) };
    });
  };
}

/** Decodes a line of an input file in Google's format. */
export function generativeLineDecoder(model: string, url: string): DecodeInlineRequest {
  return (bytes, number) =>
    within(`Line ${number}`, undefined, () => {
      const { key: customId, request } = parseInput(GenerativeLineSchema, parseJson(bytes));
      expectModel(request.model, model);
      return { customId, line: lineOf({ custom_id: customId, url }, memberOf(bytes, 'request')) };
    });
}

/** All requests of Google's batches use the model in the path. */
function expectModel(requested: string | undefined, model: string): void {
  if (requested === undefined || requested.replace(/^models\//, '') === model) return;
  throw new GatewayError('invalid_request', `request[model] must be \`models/${model}\`, as in the path.`, {
    param: 'request[model]',
  });
}

function lineOf(head: Pick<BatchLine, 'custom_id' | 'url'>, body: string, metadata?: unknown): string {
  const { custom_id, url } = head;
  const start = JSON.stringify({ custom_id, method: 'POST', url, metadata }).slice(0, -1);
  return `${start},"body":${body}}`;
}

/** Returns the JSON of a member on one line. Line breaks in valid JSON are only between its parts. */
function memberOf(bytes: Uint8Array, name: string): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const member = jsonMembers(text)?.get(name);
  return member ? text.slice(member.start, member.end).replaceAll(/[\r\n]/g, ' ') : '{}';
}

/**
 * Adds the place of a request to its errors.
 * @param path the field that contains the request. If omitted, it is a line of a file.
 */
function within<T>(place: string, path: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const param = path ?? error.param;
    throw new GatewayError(error.code, `${place}: ${error.message}`, { ...(param !== undefined && { param }) });
  }
}
