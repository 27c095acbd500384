import type { BatchLineResult } from '@sluice/canonical';
import type { ResultsFormat } from '../contracts/batches-protocol.ts';
import { asNumber, asString, objectOrEmpty, ownMember } from '../json/values.ts';
import { RPC_CODES } from './rpc-codes.ts';
import { type TextProtocols, translateResult } from './translate-result.ts';

/** Encodes results as Anthropic does (@anthropic-ai/sdk 1.11, `MessageBatchIndividualResponse`). */
export function messageResultEncoder(protocols: TextProtocols): ResultsFormat['encode'] {
  const { messages } = protocols;
  return (result, context) => {
    const { custom_id } = result;
    if (result.error?.code === 'batch_expired') return { custom_id, result: { type: 'expired' } };
    if (result.error?.code === 'batch_cancelled') return { custom_id, result: { type: 'canceled' } };
    const translated = translateResult(result, messages, protocols, context);
    if ('response' in translated) return { custom_id, result: { type: 'succeeded', message: translated.response } };
    return {
      custom_id,
      result: { type: 'errored', error: messages.encodeError(translated.error, requestIdOf(result)) },
    };
  };
}

/** Encodes results as Google does (@google/genai 3.1, `InlinedResponse`). A line of a file has the request's key. */
export function generativeResultEncoder(protocols: TextProtocols): ResultsFormat['encode'] {
  const { 'generative-content': generative } = protocols;
  return (result, context, inlined) => {
    const metadata = inlined?.metadata;
    const head = inlined ? { ...(metadata !== undefined && { metadata }) } : { key: result.custom_id };
    const translated = translateResult(result, generative, protocols, context);
    if ('response' in translated) return { ...head, response: translated.response };
    return { ...head, error: rpcStatus(generative.encodeError(translated.error, requestIdOf(result))) };
  };
}

function requestIdOf({ id, response }: BatchLineResult): string {
  return response?.request_id ?? id;
}

/** `google.rpc.Status`, whose code is not the HTTP status. */
function rpcStatus(encoded: unknown): { code: number; message: string } {
  const { status, message } = objectOrEmpty(objectOrEmpty(encoded)['error']);
  const code = asNumber(ownMember<number>(RPC_CODES, status)) ?? RPC_CODES.INTERNAL;
  return { code, message: asString(message) ?? '' };
}
