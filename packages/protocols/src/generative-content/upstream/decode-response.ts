import { GatewayError, type Generation, invalidResponseMessage } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createCollector } from '../../text/collect-generation.ts';
import { createResponseReader } from './response-reader.ts';

/**
 * @throws GatewayError `provider_error` if the response is invalid or unusable, or the error of `decodeError` for an
 * error body
 */
export function decodeResponse(body: unknown, context: UpstreamResponseContext): Generation {
  if (!isRecord(body)) throw new GatewayError('provider_error', invalidResponseMessage());
  const reader = createResponseReader(context);
  const collector = createCollector();
  for (const event of [...reader.read(body), ...reader.end(true)]) {
    if (event.type === 'error') throw event.error;
    collector.add(event);
  }
  return collector.generation();
}
