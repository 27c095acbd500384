import { GatewayError, type Generation } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeFinish, decodeOutputItem } from './decode-output.ts';
import { failureError, readFailure } from '../wire/errors.ts';
import { decodeUsage } from '../wire/usage.ts';
import { asArray, asObject, asString, type JsonObject } from '../../json/values.ts';

/**
 * Decodes an upstream's complete response.
 * @throws GatewayError `provider_error` if it is invalid or unfinished, otherwise the error that it contains
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  const response = asObject(body);
  if (!response || !Array.isArray(response['output'])) {
    if (response && isRecord(response['error'])) throw failureError(readFailure(response));
    throw new GatewayError('provider_error', 'The upstream returned an invalid response.', {
      retryable: true,
    });
  }
  refuseUnfinished(response);
  const content = asArray(response['output'])
    .filter(isRecord)
    .flatMap((item) => decodeOutputItem(item, context));
  const usage = decodeUsage(response['usage']);
  const serviceTier = asString(response['service_tier']);
  return {
    id: asString(response['id']) ?? context.newId('resp_'),
    model: asString(response['model']) ?? context.target.model,
    choices: [{ content, finish: decodeFinish(response, new Set(content.map(({ type }) => type))) }],
    ...(usage && { usage }),
    ...(serviceTier !== undefined && { serviceTier }),
  };
}

function refuseUnfinished(response: JsonObject): void {
  switch (response['status']) {
    case 'failed':
      throw failureError(readFailure(response));
    case 'cancelled':
    case 'queued':
    case 'in_progress':
      throw new GatewayError('provider_error', 'The upstream did not finish the response.', { retryable: true });
    default:
  }
}
