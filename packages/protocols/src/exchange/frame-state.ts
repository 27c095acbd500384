import { GatewayError, type TextProtocolName, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { asArray, isSet, type JsonObject, objectOrEmpty, parseObject } from '../json/values.ts';

export interface FrameState {
  /** The finish reason was sent. Only usage can follow. */
  isFinish?: boolean;
  /** No frame follows. */
  isLast?: boolean;
  error?: GatewayError;
}

/** Only matching frames are parsed. */
const CANDIDATES: Readonly<Record<TextProtocolName, RegExp>> = {
  'chat-completions': /"finish_reason"\s*:\s*"|"error"|^\[DONE\]/,
  responses: /"response\.(?:completed|incomplete|failed)"|"error"/,
  messages: /"message_stop"|"error"/,
  'generative-content': /"(?:finishReason|blockReason)"|"error"/,
};

const UNCHANGED: FrameState = {};
const LAST: FrameState = { isFinish: true, isLast: true };

/**
 * Reads only fields that the protocol defines: vendors echo client data, which can contain the keywords that this
 * function looks for.
 * @param data JSON as a Latin-1 string (one character per byte), or chat's `[DONE]`
 */
export function readFrameState(protocol: TextProtocol, data: string): FrameState {
  if (!CANDIDATES[protocol.name].test(data)) return UNCHANGED;
  if (data.startsWith('[DONE]')) return LAST;
  const frame = parseObject(Buffer.from(data, 'latin1').toString());
  if (!frame) return UNCHANGED;
  switch (protocol.name) {
    case 'chat-completions':
      return isSet(frame['error']) ? errorState(protocol, frame) : { isFinish: isChatFinish(frame) };
    case 'generative-content':
      return isSet(frame['error']) ? errorState(protocol, frame) : { isFinish: isGeminiFinish(frame) };
    case 'messages':
      if (frame['type'] === 'error') return errorState(protocol, frame);
      return frame['type'] === 'message_stop' ? LAST : UNCHANGED;
    case 'responses':
      return responsesState(protocol, frame);
  }
}

function responsesState(protocol: TextProtocol, frame: JsonObject): FrameState {
  switch (frame['type']) {
    case 'response.completed':
    case 'response.incomplete':
      return LAST;
    case 'response.failed':
      return errorState(protocol, { error: objectOrEmpty(frame['response'])['error'] });
    case 'error':
      return errorState(protocol, isSet(frame['error']) ? frame : { error: frame });
    default:
      return UNCHANGED;
  }
}

/** @param body an error in the format of an HTTP error body */
function errorState(protocol: TextProtocol, body: JsonObject): FrameState {
  const { code, status } = objectOrEmpty(body['error']);
  // Some vendors send an HTTP status inside the error.
  const httpStatus = [code, status].map(Number).find((value) => value >= 400 && value < 600) ?? 0;
  return { error: protocol.decodeError({ status: httpStatus, headers: {}, body }) };
}

function isChatFinish({ choices }: JsonObject): boolean {
  return asArray(choices).some((choice) => typeof objectOrEmpty(choice)['finish_reason'] === 'string');
}

function isGeminiFinish({ candidates, promptFeedback }: JsonObject): boolean {
  if (typeof objectOrEmpty(promptFeedback)['blockReason'] === 'string') return true;
  return asArray(candidates).some((candidate) => typeof objectOrEmpty(candidate)['finishReason'] === 'string');
}

export function truncatedStream(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, { retryable: true });
}
