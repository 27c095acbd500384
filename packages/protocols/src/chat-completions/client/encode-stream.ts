import type { GatewayError, StreamEvent, Usage } from '@sluice/canonical';
import { SSE_COMMENT, sseData } from '../../stream/sse.ts';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { ChoiceChunks } from './choice-chunks.ts';
import { responseId, responseStyle } from './encode-blocks.ts';
import { emptyResponse } from './encode-response.ts';
import { encodeError } from '../wire/errors.ts';
import { encodeUsage } from '../wire/usage.ts';

/**
 * Encodes a stream of chunks. All chunks share the same id, time, and model, so their common prefix is serialized once.
 * The usage chunk comes last and is sent only if requested. `[DONE]` is sent only after a complete response.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const style = responseStyle(context);
  const choices = new Map<number, ChoiceChunks>();
  let suffix = style.includesUsage ? ',"usage":null}\n\n' : '}\n\n';
  let prefix: string | undefined;
  let usage: Usage | undefined;
  let isDone = false;

  function encodePrefix(id: string): string {
    const fields = {
      id: responseId(id, context),
      object: 'chat.completion.chunk',
      created: context.createdAt,
      model: context.request.model,
    };
    return `data: ${JSON.stringify(fields).slice(0, -1)},"choices":[`;
  }

  /** @param delta JSON text */
  function frame(index: number, delta: string, reason: string | null): string {
    prefix ??= encodePrefix('');
    return `${prefix}{"index":${index},"delta":${delta},"finish_reason":${JSON.stringify(reason)}}]${suffix}`;
  }

  function choiceAt(index: number): ChoiceChunks {
    const known = choices.get(index);
    if (known) return known;
    const choice = new ChoiceChunks(index, frame, style, context);
    choices.set(index, choice);
    return choice;
  }

  function fail(error: GatewayError): string {
    if (isDone) return '';
    isDone = true;
    return sseData(encodeError(error));
  }

  function finish(): string {
    isDone = true;
    const last =
      usage && style.includesUsage
        ? `${prefix ?? encodePrefix('')}],"usage":${JSON.stringify(encodeUsage(usage))}}\n\n`
        : '';
    return `${last}data: [DONE]\n\n`;
  }

  function push(event: StreamEvent): string {
    switch (event.type) {
      case 'start':
        prefix ??= encodePrefix(event.id);
        // Sent immediately, so that the client sees that the stream has started.
        return choiceAt(0).begin();
      case 'block-start':
        return choiceAt(event.choice).start(event.head);
      case 'delta':
        return choiceAt(event.choice).delta(event.text, event.paragraph ?? 0);
      case 'block-end':
        return choiceAt(event.choice).end(event.block);
      case 'finish': {
        const choice = choiceAt(event.choice);
        return event.finish === 'other' && choice.isEmpty ? fail(emptyResponse()) : choice.finish(event.finish, event);
      }
      case 'service-tier':
        suffix = `,"service_tier":${JSON.stringify(event.serviceTier)}${suffix}`;
        return '';
      case 'usage':
        usage = event.usage;
        return '';
      case 'ping':
        return SSE_COMMENT;
      case 'error':
        return fail(event.error);
      case 'end':
        return finish();
    }
  }

  return { push: (event) => (isDone ? '' : push(event)), fail, keepAlive: () => SSE_COMMENT };
}
