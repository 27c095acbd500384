import type { ContentBlock, GatewayError, StreamEvent, Usage } from '@sluice/canonical';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { type PartWriter, createPartWriter } from './encode-parts.ts';
import { GroundingWriter } from './grounding-writer.ts';
import { encodeMetadata } from './encode-response.ts';
import { encodeError } from './encode-error.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import type { JsonObject } from '../../json/values.ts';

class CandidateWriter {
  readonly #index: number;
  readonly #parts: PartWriter;
  readonly #grounding: GroundingWriter;
  /** The open block. `paragraph` is the paragraph index of its last delta. */
  #open: { type: ContentBlock['type']; hasDeltas: boolean; paragraph: number } | undefined;
  finish: Extract<StreamEvent, { type: 'finish' }> | undefined;

  constructor(index: number, context: ResponseContext) {
    this.#index = index;
    this.#parts = createPartWriter(context);
    this.#grounding = new GroundingWriter(context);
  }

  start(type: ContentBlock['type']): void {
    this.#open = { type, hasDeltas: false, paragraph: 0 };
  }

  delta(text: string, paragraph = 0): JsonObject[] {
    const open = this.#open;
    if (!open || open.type === 'tool-call') return [];
    open.hasDeltas = true;
    if (open.type !== 'reasoning') return this.#candidate(this.#parts.text(text));
    const gap = paragraph === open.paragraph ? '' : '\n\n';
    open.paragraph = paragraph;
    return this.#candidate(this.#parts.thought(gap + text));
  }

  end(block: ContentBlock): JsonObject[] {
    const hasDeltas = this.#open?.hasDeltas === true;
    this.#open = undefined;
    if (block.type === 'text') this.#grounding.add(block);
    if (!hasDeltas) return this.#candidate(this.#parts.block(block));
    if (block.type === 'text') return this.#candidate(this.#parts.signedText(block.opaqueToken));
    return block.type === 'reasoning' ? this.#candidate(this.#parts.signedThought(block)) : [];
  }

  /** Returns the candidate for the last frame. SDKs discard a turn whose content has no parts. */
  last(): JsonObject {
    const parts = this.#parts.end();
    return {
      content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] },
      index: this.#index,
      finishReason: this.finish && encodeFinish(this.finish.finish),
      finishMessage: this.finish?.detail,
      groundingMetadata: this.#grounding.metadata(),
    };
  }

  /** @returns at most one candidate */
  #candidate(parts: JsonObject[]): JsonObject[] {
    return parts.length === 0 ? [] : [{ content: { role: 'model', parts }, index: this.#index }];
  }
}

/**
 * Encodes each frame as a complete response with one part. A call is sent when it is complete. The last frame, sent by
 * `end`, has the finish reasons and the usage. No `[DONE]` follows, because SDKs fail to parse it.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const frames = framing(context.framing);
  const candidates = new Map<number, CandidateWriter>();
  let responseId = context.responseId ?? '';
  let usage: Usage | undefined;
  let serviceTier: string | undefined;
  let isDone = false;

  function candidate(index: number): CandidateWriter {
    const known = candidates.get(index) ?? new CandidateWriter(index, context);
    candidates.set(index, known);
    return known;
  }

  function response(list: JsonObject[], usageMetadata?: JsonObject): string {
    if (responseId === '') responseId = context.newId('resp_');
    return frames.item({ candidates: list, usageMetadata, modelVersion: context.request.model, responseId });
  }

  function end(): string {
    isDone = true;
    const list = [...candidates].toSorted(([one], [other]) => one - other).map(([, writer]) => writer.last());
    return response(list, encodeMetadata(usage, serviceTier)) + frames.end();
  }

  function fail(error: GatewayError): string {
    if (isDone) return '';
    isDone = true;
    return frames.item(encodeError(error)) + frames.end();
  }

  function write(event: StreamEvent): string {
    switch (event.type) {
      case 'start':
        if (responseId === '') responseId = event.id;
        return '';
      case 'block-start':
        candidate(event.choice).start(event.head.type);
        return '';
      case 'delta':
        return frame(candidate(event.choice).delta(event.text, event.paragraph));
      case 'block-end':
        return frame(candidate(event.choice).end(event.block));
      case 'finish':
        if (event.stopSequence !== undefined) context.lost?.('stop sequence');
        candidate(event.choice).finish = event;
        return '';
      case 'service-tier':
        ({ serviceTier } = event);
        return '';
      case 'usage':
        usage = event.usage;
        return '';
      case 'ping':
        // Sends no keep-alive, because older clients treat an SSE comment as a broken stream.
        return '';
      case 'error':
        return fail(event.error);
      case 'end':
        return end();
    }
  }

  const frame = (list: JsonObject[]) => (list.length === 0 ? '' : response(list));

  return {
    push: (event) => (isDone ? '' : write(event)),
    fail,
    keepAlive: () => (isDone ? '' : frames.keepAlive),
  };
}

interface Framing {
  item(response: unknown): string;
  end(): string;
  keepAlive: string;
}

function framing(kind: ResponseContext['framing']): Framing {
  if (kind !== 'json-array') {
    return {
      item: (response) => `data: ${JSON.stringify(response)}\r\n\r\n`,
      end: () => '',
      keepAlive: ': keep-alive\r\n\r\n',
    };
  }
  let isFirst = true;
  return {
    item(response) {
      const lead = isFirst ? '[' : ',\r\n';
      isFirst = false;
      return lead + JSON.stringify(response);
    },
    end: () => '\r\n]',
    keepAlive: '\r\n',
  };
}
