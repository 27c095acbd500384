import { GatewayError, type StreamEvent, type Usage } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { encodeError } from '../wire/errors.ts';
import { encodeFinish, type Finish } from '../wire/stop-reason.ts';
import { encodeUsage } from '../wire/usage.ts';
import { emptyResponse, messageId } from './encode-response.ts';
import { StreamBlocks } from './stream-blocks.ts';

const PING = sseEvent('ping', { type: 'ping' });

/**
 * Encodes a stream: `message_start`, the blocks, `message_delta` with the usage, `message_stop`. The finish reason waits
 * for the end, because usage may arrive last. No event follows an error.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const blocks = new StreamBlocks(context);
  let isDone = false;
  let finish: Finish | undefined;
  let usage: Usage | undefined;

  function fail(error: GatewayError): string {
    if (isDone) return '';
    isDone = true;
    return sseEvent('error', encodeError(error));
  }

  function end(): string {
    if (!finish) return fail(brokenOff());
    const failure = emptyResponse(finish, blocks.count);
    if (failure) return fail(failure);
    isDone = true;
    return encodeEnd(finish, usage);
  }

  function write(event: StreamEvent): string {
    switch (event.type) {
      case 'start':
        usage = event.usage;
        return encodeStart(event, context);
      case 'ping':
        return PING;
      case 'usage':
        usage = event.usage;
        return '';
      case 'error':
        return fail(event.error);
      case 'end':
        return end();
      case 'block-start':
        return event.choice === 0 ? blocks.start(event.head) : '';
      case 'delta':
        return event.choice === 0 ? blocks.delta(event.text, event.paragraph) : '';
      case 'block-end':
        return event.choice === 0 ? blocks.end(event.block) : '';
      case 'finish':
        if (event.choice === 0) finish = event;
        return '';
    }
  }

  return {
    push: (event) => (isDone ? '' : write(event)),
    fail,
    keepAlive: () => (isDone ? '' : PING),
  };
}

function encodeStart({ id, usage }: Extract<StreamEvent, { type: 'start' }>, context: ResponseContext): string {
  const message = {
    id: messageId(id, context),
    type: 'message',
    role: 'assistant',
    model: context.request.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    // Some clients add this usage to that of `message_delta`, others replace it: only the latter counts the output.
    usage: { ...encodeUsage(usage), output_tokens: 0 },
  };
  return sseEvent('message_start', { type: 'message_start', message });
}

function encodeEnd(finish: Finish, usage: Usage | undefined): string {
  const { stop_reason, stop_sequence, stop_details } = encodeFinish(finish);
  const delta = { stop_reason, stop_sequence, stop_details };
  return (
    sseEvent('message_delta', { type: 'message_delta', delta, usage: encodeUsage(usage) }) +
    sseEvent('message_stop', { type: 'message_stop' })
  );
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended the stream before the response was complete.');
}
