import { GatewayError, type Generation, invalidResponseMessage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeFinish, decodeOutputItem } from './decode-output.ts';
import { reportItem, reportResponse } from './report-unread.ts';
import { failureError, readFailure } from '../wire/errors.ts';
import { decodeUsage } from '../wire/usage.ts';
import { asObject, asObjects, asString, type JsonObject } from '../../json/values.ts';

/** @throws GatewayError `provider_error` if the response is invalid or unfinished, or the error that it contains */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  const response = asObject(body);
  if (!response || !Array.isArray(response['output'])) {
    if (response && isRecord(response['error'])) throw failureError(readFailure(response));
    throw new GatewayError('provider_error', invalidResponseMessage(), { retryable: true });
  }
  rejectUnfinished(response);
  reportResponse(response, context.report);
  const items = asObjects(response['output']);
  for (const item of items) reportItem(item, context.report);
  const content = items.flatMap((item) => decodeOutputItem(item, context));
  return {
    id: asString(response['id']) ?? context.newId('resp_'),
    model: asString(response['model']) ?? context.target.model,
    choices: [{ content, finish: decodeFinish(response, new Set(content.map(({ type }) => type))) }],
    usage: decodeUsage(response['usage'], undefined, (name) => response[name]),
    serviceTier: asString(response['service_tier']),
  };
}

function rejectUnfinished(response: JsonObject): void {
  switch (response['status']) {
    case 'failed':
      throw failureError(readFailure(response));
    case 'cancelled':
    case 'queued':
    case 'in_progress':
      throw new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete, { retryable: true });
    default:
  }
}
