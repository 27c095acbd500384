import { GatewayError, type TextProtocolName } from '@sluice/canonical';
import type { TextProtocol } from '../contracts/text-protocol.ts';

/** The state of the stream as reported by a frame. */
export interface FrameSigns {
  /** The finish reason was sent; only usage may follow. */
  isFinish?: boolean;
  /** Nothing follows. */
  isLast?: boolean;
  error?: GatewayError;
}

type Fields = Record<string, unknown>;

/** A text search first: only matching frames are parsed. */
const SUSPECTS: Readonly<Record<TextProtocolName, RegExp>> = {
  'chat-completions': /"finish_reason"\s*:\s*"|"error"|^\[DONE\]/,
  responses: /"response\.(?:completed|incomplete|failed)"|"error"/,
  messages: /"message_stop"|"error"/,
  'generative-content': /"(?:finishReason|blockReason)"|"error"/,
};

const NOTHING: FrameSigns = {};

/**
 * Reads the signs of a frame only from the members that its protocol defines; vendors repeat client data, which may
 * contain the same words.
 * @param data JSON with one character for each byte, or chat's `[DONE]`
 */
export function frameSigns(protocol: TextProtocol, data: string): FrameSigns {
  if (!SUSPECTS[protocol.name].test(data)) return NOTHING;
  if (data.startsWith('[DONE]')) return { isFinish: true, isLast: true };
  const frame = parsed(data);
  if (!frame) return NOTHING;
  switch (protocol.name) {
    case 'chat-completions':
      return isReported(frame['error'])
        ? errorOf(protocol, frame)
        : { isFinish: listOf(frame['choices']).some(hasReason) };
    case 'generative-content':
      return isReported(frame['error']) ? errorOf(protocol, frame) : { isFinish: isGeminiEnd(frame) };
    case 'messages':
      if (frame['type'] === 'error') return errorOf(protocol, frame);
      return frame['type'] === 'message_stop' ? { isFinish: true, isLast: true } : NOTHING;
    case 'responses':
      return responsesSigns(protocol, frame);
  }
}

function responsesSigns(protocol: TextProtocol, frame: Fields): FrameSigns {
  switch (frame['type']) {
    case 'response.completed':
    case 'response.incomplete':
      return { isFinish: true, isLast: true };
    case 'response.failed':
      return errorOf(protocol, { error: fieldsOf(frame['response'])['error'] });
    case 'error':
      return errorOf(protocol, isReported(frame['error']) ? frame : { error: frame });
    default:
      return NOTHING;
  }
}

/** @param body the error as in an HTTP error response */
function errorOf(protocol: TextProtocol, body: Fields): FrameSigns {
  return { error: protocol.decodeError({ status: statusOf(fieldsOf(body['error'])), headers: {}, body }) };
}

/** The HTTP status that an error event reports; 0 if it reports none. */
function statusOf({ code, status }: Fields): number {
  const told = [code, status].map(Number).find((value) => value >= 400 && value < 600);
  return told ?? 0;
}

function hasReason(choice: unknown): boolean {
  return typeof fieldsOf(choice)['finish_reason'] === 'string';
}

function isGeminiEnd({ candidates, promptFeedback }: Fields): boolean {
  const isBlocked = typeof fieldsOf(promptFeedback)['blockReason'] === 'string';
  return isBlocked || listOf(candidates).some((one) => typeof fieldsOf(one)['finishReason'] === 'string');
}

function isReported(error: unknown): boolean {
  return error !== undefined && error !== null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}; // any object has members
}

function parsed(data: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(data, 'latin1').toString());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined; // as checked
  } catch {
    return undefined;
  }
}

/** For a stream without a final event. */
export function brokeOff(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.', {
    retryable: true,
  });
}
