import type { FinishReason, GatewayError, StreamEvent, Usage } from '@sluice/canonical';
import { SSE_COMMENT } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { finalState, isIncomplete, reportFinish } from './encode-response.ts';
import { responseError } from '../wire/errors.ts';
import { OutputWriter } from './output-writer.ts';
import { createResponseEvents } from './response-events.ts';

/**
 * Encodes a response as events: `response.created`, `response.in_progress`, events for each item (added, deltas, done),
 * and finally the response in its final state. There is no `[DONE]`.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const events = createResponseEvents(context);
  const writer = new OutputWriter(context, events.id, events.sink);
  let finish: FinishReason = 'other';
  let usage: Usage | undefined;
  let serviceTier: string | undefined;
  let isDone = false;

  function complete(): void {
    isDone = true;
    events.end({ ...finalState(finish, writer.end(isIncomplete(finish)), context), usage, serviceTier });
  }

  function fail(error: GatewayError): void {
    isDone = true;
    events.start();
    events.end({ status: 'failed', output: writer.items, error: responseError(error), usage });
  }

  function write(event: StreamEvent): void {
    // This protocol supports only one choice.
    if ('choice' in event && event.choice !== 0) {
      if (event.type === 'finish') context.lost?.('choices');
      return;
    }
    switch (event.type) {
      case 'start':
        break;
      case 'block-start':
        writer.open(event.head);
        break;
      case 'delta':
        writer.delta(event.text, event.paragraph ?? 0);
        break;
      case 'block-end':
        writer.close(event.block);
        break;
      case 'finish':
        ({ finish } = event);
        reportFinish(event, context);
        break;
      case 'service-tier':
        ({ serviceTier } = event);
        break;
      case 'usage':
        ({ usage } = event);
        break;
      case 'ping':
        events.comment(SSE_COMMENT);
        break;
      case 'error':
        return fail(event.error);
      case 'end':
        return complete();
    }
  }

  return {
    push: (event) => {
      if (isDone) return '';
      if (event.type !== 'error' && event.type !== 'ping') events.start();
      write(event);
      return events.take();
    },
    fail: (error) => {
      if (isDone) return '';
      fail(error);
      return events.take();
    },
    keepAlive: () => (isDone ? '' : SSE_COMMENT),
  };
}
