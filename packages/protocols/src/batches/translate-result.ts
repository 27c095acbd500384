import {
  type BatchLineErrorCode,
  type BatchLineResult,
  ERROR_STATUS,
  type ErrorCode,
  GatewayError,
  type TextProtocolName,
} from '@sluice/canonical';
import type { ResultContext } from '../contracts/batches-protocol.ts';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { asNonEmptyString, asNumber, objectOrEmpty, ownMember } from '../json/values.ts';
import { modelOfEndpoint, textProtocolOf } from './line-endpoints.ts';

export type TextProtocols = Readonly<Record<TextProtocolName, TextProtocol>>;

/** The response of a line, or its error. */
export type TranslatedResult = { response: unknown } | { error: GatewayError };

/**
 * Translates the result of a line to the protocol of the client that reads it. Responses of the same protocol stay as
 * they are. The endpoint of the batch must be of a text protocol.
 */
export function translateResult(
  { response, error }: BatchLineResult,
  to: TextProtocol,
  protocols: TextProtocols,
  context: ResultContext,
): TranslatedResult {
  if (error) return { error: new GatewayError(LINE_ERRORS[error.code], error.message) };
  if (!response) return { error: new GatewayError('internal_error', 'The result is missing.') };
  const { status_code: status, body } = response;
  if (status >= 400) return { error: readError(status, body) };
  const name = textProtocolOf(context.batch.endpoint);
  if (name === undefined || name === to.name) return { response: body };
  try {
    return { response: translateBody(body, protocols[name], to, context) };
  } catch (failure) {
    // The response contains an error, or nothing that the other protocol can express.
    if (failure instanceof GatewayError) return { error: failure };
    throw failure;
  }
}

function translateBody(body: unknown, from: TextProtocol, to: TextProtocol, context: ResultContext): unknown {
  const { batch, newId, tokenCodec } = context;
  const model = batch.model ?? modelOfEndpoint(batch.endpoint) ?? modelIn(body);
  // Opaque tokens belong to no account, so no upstream receives them again.
  const target = { upstream: '', account: '', protocol: from.name, model, quirks: {} };
  const generation = from.decodeResponse(body, { target, newId });
  const request = { protocol: to.name, model, stream: false, messages: [], tools: [] };
  const createdAt = Math.floor((batch.inProgressAt ?? batch.createdAt) / 1_000);
  return to.encodeResponse(generation, { request, body: {}, createdAt, newId, tokenCodec });
}

function modelIn(body: unknown): string {
  const { model, modelVersion } = objectOrEmpty(body);
  return asNonEmptyString(model) ?? asNonEmptyString(modelVersion) ?? 'unknown';
}

const LINE_ERRORS: Readonly<Record<BatchLineErrorCode, ErrorCode>> = {
  outcome_unknown: 'submission_unknown',
  batch_expired: 'deadline_exceeded',
  batch_cancelled: 'canceled',
  request_failed: 'invalid_request',
  result_missing: 'provider_error',
};

/** Error codes by status, for errors whose protocol does not contain the code. */
const STATUS_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  403: 'model_not_allowed',
  404: 'model_not_found',
  413: 'payload_too_large',
  429: 'rate_limited',
  503: 'provider_overloaded',
  504: 'deadline_exceeded',
};

/** Reads an error that the gateway encoded in any protocol. */
function readError(status: number, body: unknown): GatewayError {
  const error = objectOrEmpty(objectOrEmpty(body)['error']);
  const details = objectOrEmpty(error['details']);
  const named = [error['code'], details['error_code']].find(
    (code): code is ErrorCode => ownMember(ERROR_STATUS, code) !== undefined,
  );
  const code = named ?? STATUS_CODES[asNumber(status) ?? 500] ?? (status < 500 ? 'invalid_request' : 'provider_error');
  const param = asNonEmptyString(error['param']);
  return new GatewayError(code, asNonEmptyString(error['message']) ?? `The request failed with HTTP ${status}.`, {
    ...(param !== undefined && { param }),
  });
}
