import { GatewayError, type StreamEvent, type Usage, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { sseEvent } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { encodeError } from '../wire/errors.ts';
import { encodeFinish, type Finish } from '../wire/stop-reason.ts';
import { encodeUsage } from '../wire/usage.ts';
import { emptyResponse, messageId, reportEnd } from './encode-response.ts';
import { StreamBlocks } from './stream-blocks.ts';

const PING = sseEvent('ping', { type: 'ping' });

/**
 * Encodes a stream: `message_start`, the blocks, `message_delta` with the usage, and `message_stop`. The finish reason
 * is sent at the end, because usage can arrive last. No event follows an error.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const blocks = new StreamBlocks(context);
  let isDone = false;
  let finish: Finish | undefined;
  let usage: Usage | undefined;
  let serviceTier: string | undefined;

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
    reportEnd(finish, usage, context);
    return encodeEnd(finish, usage, serviceTier);
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
        else context.lost?.('choices');
        return '';
      case 'service-tier':
        ({ serviceTier } = event);
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
    // Some clients add this usage to the usage in `message_delta`, and others replace it. Only `message_delta`
    // therefore reports output tokens.
    usage: { ...encodeUsage(usage), output_tokens: 0 },
  };
  return sseEvent('message_start', { type: 'message_start', message });
}

function encodeEnd(finish: Finish, usage: Usage | undefined, serviceTier: string | undefined): string {
  const { stop_reason, stop_sequence, stop_details } = encodeFinish(finish);
  const delta = { stop_reason, stop_sequence, stop_details };
  return (
    sseEvent('message_delta', { type: 'message_delta', delta, usage: encodeUsage(usage, serviceTier) }) +
    sseEvent('message_stop', { type: 'message_stop' })
  );
}

function brokenOff(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete);
}
