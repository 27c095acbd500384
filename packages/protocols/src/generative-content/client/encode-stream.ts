import type { ContentBlock, GatewayError, StreamEvent, Usage } from '@sluice/canonical';
import type { ResponseContext, StreamEncoder } from '../../contracts/text-protocol.ts';
import { type ResponseParts, createResponseParts } from './encode-parts.ts';
import { encodeError } from './encode-error.ts';
import { encodeFinish } from '../wire/finish-reason.ts';
import { encodeUsage } from '../wire/usage.ts';
import type { Wire } from '../wire/wire-values.ts';

/** One candidate on its way. */
interface Candidate {
  writer: ResponseParts;
  /** The kind of the open block, and whether any of it has been written. */
  open?: { type: ContentBlock['type']; hasDeltas: boolean; paragraph: number };
  finish?: Extract<StreamEvent, { type: 'finish' }>;
}

/**
 * Writes a stream: each frame a whole response with one part. Calls are written when they are whole. How the candidates
 * ended and what they cost stands in the last frame, which `end` brings; nothing follows it, since SDKs choke on `[DONE]`.
 * With the framing `json-array` the frames are the items of one array.
 */
export function encodeStream(context: ResponseContext): StreamEncoder {
  const frames = framing(context.framing);
  const candidates = new Map<number, Candidate>();
  let responseId = context.responseId ?? '';
  let usage: Usage | undefined;
  let isOver = false;

  function candidateOf(index: number): Candidate {
    const known = candidates.get(index);
    if (known) return known;
    const made: Candidate = { writer: createResponseParts(context) };
    candidates.set(index, made);
    return made;
  }

  function response(list: Wire[], tail: Wire = {}): string {
    if (responseId === '') responseId = context.newId('resp_');
    return frames.item({ candidates: list, ...tail, modelVersion: context.request.model, responseId });
  }

  function write(choice: number, parts: Wire[]): string {
    return parts.length === 0 ? '' : response([{ content: { role: 'model', parts }, index: choice }]);
  }

  function delta({ choice, text, paragraph = 0 }: Extract<StreamEvent, { type: 'delta' }>): string {
    const { open, writer } = candidateOf(choice);
    if (!open || open.type === 'tool-call') return '';
    open.hasDeltas = true;
    if (open.type !== 'reasoning') return write(choice, writer.text(text));
    const gap = paragraph === open.paragraph ? '' : '\n\n';
    open.paragraph = paragraph;
    return write(choice, writer.thought(gap + text));
  }

  function endBlock({ choice, block }: Extract<StreamEvent, { type: 'block-end' }>): string {
    const candidate = candidateOf(choice);
    const { open, writer } = candidate;
    delete candidate.open;
    if (!open?.hasDeltas) return write(choice, writer.block(block));
    if (block.type === 'text') return write(choice, writer.signedText(block.seal));
    return block.type === 'reasoning' ? write(choice, writer.signedThought(block)) : '';
  }

  function end(): string {
    isOver = true;
    const list = [...candidates].toSorted(([one], [other]) => one - other).map(lastOf);
    return response(list, usage && { usageMetadata: encodeUsage(usage) }) + frames.end();
  }

  function fail(error: GatewayError): string {
    if (isOver) return '';
    isOver = true;
    return frames.item(encodeError(error)) + frames.end();
  }

  return {
    push(event) {
      if (isOver) return '';
      switch (event.type) {
        case 'start':
          if (responseId === '') responseId = event.id;
          return '';
        case 'block-start':
          candidateOf(event.choice).open = { type: event.head.type, hasDeltas: false, paragraph: 0 };
          return '';
        case 'delta':
          return delta(event);
        case 'block-end':
          return endBlock(event);
        case 'finish':
          candidateOf(event.choice).finish = event;
          return '';
        case 'usage':
          usage = event.usage;
          return '';
        case 'ping':
          // Older clients of this protocol take a comment for a broken stream: there is one only when silence demands it.
          return '';
        case 'error':
          return fail(event.error);
        case 'end':
          return end();
      }
    },
    fail,
    keepAlive: () => (isOver ? '' : frames.keepAlive),
  };
}

/** A candidate in the last frame. SDKs throw away a turn that has a content without parts. */
function lastOf([index, { writer, finish }]: [number, Candidate]): Wire {
  const parts = writer.end();
  const candidate: Wire = { content: { role: 'model', parts: parts.length > 0 ? parts : [{ text: '' }] }, index };
  if (finish) candidate['finishReason'] = encodeFinish(finish.finish);
  if (finish?.detail !== undefined) candidate['finishMessage'] = finish.detail;
  return candidate;
}

/** How responses follow each other. */
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
    // Blanks mean nothing between the items of an array, nor before it.
    keepAlive: '\r\n',
  };
}
