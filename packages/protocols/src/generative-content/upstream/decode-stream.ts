import { GatewayError, type StreamEvent, invalidResponseMessage } from '@sluice/canonical';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { createResponseReader } from './response-reader.ts';

export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  const reader = createResponseReader(context);
  let hasFailed = false;

  function fail(cause: unknown): StreamEvent[] {
    hasFailed = true;
    if (cause instanceof GatewayError) return [{ type: 'error', error: cause }];
    return [{ type: 'error', error: new GatewayError('provider_error', invalidResponseMessage(), { cause }) }];
  }

  return {
    push({ data }) {
      // Some resellers end the stream with `[DONE]`, as in chat completions.
      if (hasFailed || data === '[DONE]') return [];
      try {
        const response: unknown = JSON.parse(data);
        if (isRecord(response)) return reader.read(response);
        return fail(undefined);
      } catch (error) {
        return fail(error);
      }
    },
    end: () => (hasFailed ? [] : reader.end(false)),
  };
}
