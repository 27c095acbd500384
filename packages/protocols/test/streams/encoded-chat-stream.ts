import type { BlockHead, ContentBlock, GenerationRequest, StreamEvent } from '@sluice/canonical';
import { createTokenCodec } from '../../src/text/token-codec.ts';
import type { ResponseContext } from '../../src/contracts/text-protocol.ts';
import { encodeStream } from '../../src/chat-completions/client/encode-stream.ts';

interface Extra {
  google: { thought_signature: string };
}
interface Piece {
  index: number;
  id?: string;
  function?: { name?: string; arguments: string };
  extra_content?: Extra;
}
interface Delta {
  role?: string;
  content?: string;
  reasoning_content?: string;
  tool_calls?: Piece[];
  function_call?: object;
  extra_content?: Extra;
}
interface Chunk {
  choices: { index: number; delta: Delta; finish_reason: string | null }[];
  usage?: unknown;
}

export const tokenCodec = createTokenCodec('secret');
/** An opaque token of another protocol. */
export const opaqueToken = { protocol: 'messages', account: 'acc', model: 'claude', value: 'sig' } as const;

export function context(body: Record<string, unknown> = {}, request: Partial<GenerationRequest> = {}): ResponseContext {
  let ids = 0;
  return {
    request: {
      protocol: 'chat-completions',
      model: 'requested-model',
      stream: true,
      messages: [],
      tools: [],
      ...request,
    },
    body,
    createdAt: 1_700_000_000,
    newId: (prefix) => `${prefix}${ids++}`,
    tokenCodec,
  };
}

/** Encodes events. Returns the text and its parsed chunks. */
export function encode(events: StreamEvent[], from: ResponseContext = context()): { text: string; chunks: Chunk[] } {
  const encoder = encodeStream(from);
  const text = events.map((event) => encoder.push(event)).join('');
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'));
  // The schema below validates each chunk.
  return { text, chunks: frames.map((frame) => JSON.parse(frame.slice(6)) as Chunk) };
}

export const start: StreamEvent = { type: 'start', id: 'msg_1', model: 'claude' };
export const finish = (
  reason: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other' = 'stop',
  choice = 0,
): StreamEvent => ({
  type: 'finish',
  choice,
  finish: reason,
});
export const end: StreamEvent = { type: 'end' };
export const usage: StreamEvent = { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } };

/** Creates a block's events as decoders do. */
export function block(head: BlockHead, complete: ContentBlock, deltas: string[], choice = 0): StreamEvent[] {
  return [
    { type: 'block-start', choice, head },
    ...deltas.map((text): StreamEvent => ({ type: 'delta', choice, text })),
    { type: 'block-end', choice, block: complete },
  ];
}
/** Creates the events of a text, with one delta per argument. */
export const text = (...deltas: string[]) => block({ type: 'text' }, { type: 'text', text: deltas.join('') }, deltas);
/** Creates the events of a call, with the given argument deltas. */
export function call(callId: string, name: string, deltas: string[], more: object = {}): StreamEvent[] {
  const head = { type: 'tool-call', callId, name, kind: 'function' } as const;
  return block(head, { ...head, arguments: deltas.join(''), ...more }, deltas);
}

export const deltas = (chunks: Chunk[]): Delta[] => chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
/** Returns the call deltas in chunks. */
export const callChunks = (chunks: Chunk[]): Piece[] => deltas(chunks).flatMap((delta) => delta.tool_calls ?? []);

/** Creates the events of a reasoning block with one delta. */
export const thought = (value: string) =>
  block({ type: 'reasoning', isSummary: false }, { type: 'reasoning', text: [value], isSummary: false }, [value]);
