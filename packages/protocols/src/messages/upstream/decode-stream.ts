import { type GatewayError, GatewayError as Failure, type StreamEvent, type Usage } from '@sluice/canonical';
import type { SseFrame } from '../../stream/sse.ts';
import type { StreamDecoder, UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { type OpenBlock, openBlock } from './decode-stream-block.ts';
import { decodeError } from '../wire/errors.ts';
import { type JsonObject, numberOf, textOf } from '../wire/record.ts';
import { decodeFinish } from '../wire/stop-reason.ts';
import { decodeUsage } from '../wire/usage.ts';

/**
 * Reads an upstream's stream:
 *
 *     message_start → (content_block_start → content_block_delta* → content_block_stop)* → message_delta → message_stop
 *
 * with `ping` anywhere and `error` instead of any step. The vendor keeps one block open at a time. `message_delta` tells
 * how the answer ended; a stream that breaks off before it is an error, one that breaks off after it is whole.
 */
export function decodeStream(context: UpstreamResponseContext): StreamDecoder {
  let isStarted = false;
  let isOver = false;
  let open: (OpenBlock & { index: number }) | undefined;
  let calls = false;
  let usage: Usage | undefined;
  let ending: JsonObject | undefined;

  function fail(error: GatewayError): StreamEvent[] {
    isOver = true;
    return [{ type: 'error', error }];
  }

  function start(message: JsonObject): StreamEvent[] {
    if (isStarted) return [];
    isStarted = true;
    usage = decodeUsage(message['usage'], usage);
    return [
      {
        type: 'start',
        id: textOf(message['id']) ?? context.newId('msg_'),
        model: textOf(message['model']) ?? context.target.model,
        ...(usage && { usage }),
      },
    ];
  }

  function close(): StreamEvent[] {
    const events = open?.close() ?? [];
    open = undefined;
    return events;
  }

  function finish(): StreamEvent[] {
    isOver = true;
    return [
      ...close(),
      { type: 'finish', choice: 0, ...decodeFinish(ending ?? {}, calls) },
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      { type: 'end' },
    ];
  }

  function read(event: JsonObject, type: string): StreamEvent[] {
    switch (type) {
      case 'ping':
        return [{ type: 'ping' }];
      case 'error':
        return fail(decodeError({ status: 200, headers: {}, body: event }));
      case 'message_start':
        return start(isRecord(event['message']) ? event['message'] : {});
      case 'content_block_start': {
        const block = isRecord(event['content_block']) ? event['content_block'] : {};
        const events = [...start({}), ...close()];
        open = { ...openBlock(block, context), index: numberOf(event['index']) ?? 0 };
        calls ||= open.isCall;
        return [...events, ...open.begin];
      }
      case 'content_block_delta': {
        if (!isRecord(event['delta'])) return [];
        if (open?.index !== (numberOf(event['index']) ?? 0)) return fail(outOfOrder());
        return open.delta(event['delta']);
      }
      case 'content_block_stop':
        return close();
      case 'message_delta':
        usage = decodeUsage(event['usage'], usage);
        if (isRecord(event['delta']) && textOf(event['delta']['stop_reason']) !== undefined) ending = event['delta'];
        return [];
      case 'message_stop':
        return [...start({}), ...finish()];
      default:
        return [];
    }
  }

  return {
    push: (frame) => {
      if (isOver) return [];
      const event = parseFrame(frame);
      if (!event) return fail(new Failure('provider_error', 'The upstream sent an event that cannot be read.'));
      return read(event, textOf(event['type']) ?? frame.event ?? '');
    },
    end: () => {
      if (isOver) return [];
      if (ending) return finish();
      return fail(
        new Failure('provider_error', 'The upstream broke off before the answer was complete.', { retryable: true }),
      );
    },
  };
}

function outOfOrder(): GatewayError {
  return new Failure('provider_error', 'The upstream sent a piece of a block that is not open.');
}

function parseFrame({ data }: SseFrame): JsonObject | undefined {
  // Some gateways in front of the vendor end every stream as chat completions do.
  if (data === '[DONE]') return {};
  try {
    const event: unknown = JSON.parse(data);
    return isRecord(event) ? event : undefined;
  } catch {
    return undefined;
  }
}
