import type { FinishReason, GatewayError, StreamEvent, Usage } from '@sluice/canonical';
import { SSE_COMMENT } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { responseParts, completion, ending, isCut } from './encode-response.ts';
import { responseError } from '../wire/errors.ts';
import { createEventText } from './event-text.ts';
import { OutputWriter } from './output-writer.ts';
import { responseObject, type ResponseParts } from './response-object.ts';

/**
 * Encodes a response as events: `response.created` and `response.in_progress`, then each item as added, deltas, and
 * done,
 * and last the complete response in `response.completed`, `response.incomplete`, or `response.failed`. There is no
 * `[DONE]`.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const events = createEventText();
  const id = context.responseId ?? context.newId('resp_');
  const writer = new OutputWriter(context, id, events.sink);
  let finish: FinishReason = 'other';
  let usage: Usage | undefined;
  let isStarted = false;
  let isDone = false;

  function response(parts: Omit<ResponseParts, 'id' | 'createdAt' | 'model' | 'body'>): string {
    return JSON.stringify(responseObject({ ...responseParts(context, id), ...parts }));
  }

  function start(): void {
    if (isStarted) return;
    isStarted = true;
    const created = response({ status: 'in_progress' });
    events.response('response.created', created);
    events.response('response.in_progress', created);
  }

  function complete(): void {
    isDone = true;
    const output = writer.end(isCut(finish));
    const ended = ending(finish, output);
    const parts = { ...ended, ...completion(ended.status, context), output, ...(usage && { usage }) };
    events.response(`response.${ended.status}`, response(parts));
  }

  function fail(error: GatewayError): void {
    start();
    isDone = true;
    const parts = { output: writer.items, error: responseError(error), ...(usage && { usage }) };
    events.response('response.failed', response({ status: 'failed', ...parts }));
  }

  function write(event: StreamEvent): void {
    switch (event.type) {
      case 'start':
        return start();
      case 'block-start':
        if (event.choice === 0) writer.open(event.head);
        break;
      case 'delta':
        if (event.choice === 0) writer.delta(event.text, event.paragraph ?? 0);
        break;
      case 'block-end':
        if (event.choice === 0) writer.close(event.block);
        break;
      case 'finish':
        if (event.choice === 0) ({ finish } = event);
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
      if (!isStarted && event.type !== 'error' && event.type !== 'ping') start();
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
