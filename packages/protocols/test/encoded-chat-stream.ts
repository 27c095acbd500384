import type { BlockHead, ContentBlock, GenerationRequest, StreamEvent } from '@sluice/canonical';
import { createTokenCodec } from '../src/text/token-codec.ts';
import type { ResponseContext } from '../src/contracts/text-protocol.ts';
import { encodeStream } from '../src/chat-completions/client/encode-stream.ts';

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

/** Seals what clients carry. */
export const tokenCodec = createTokenCodec('secret');
/** What is sealed. */
export const seal = { protocol: 'messages', account: 'acc', model: 'claude', value: 'sig' } as const;

/** What the encoder is told of a request. */
export function context(body: Record<string, unknown> = {}, request: Partial<GenerationRequest> = {}): ResponseContext {
  let made = 0;
  return {
    request: { protocol: 'chat-completions', model: 'asked', stream: true, messages: [], tools: [], ...request },
    body,
    createdAt: 1_700_000_000,
    newId: (prefix) => `${prefix}${made++}`,
    tokenCodec,
  };
}

/** Writes events; gives the text and its chunks. */
export function encode(events: StreamEvent[], from: ResponseContext = context()): { text: string; chunks: Chunk[] } {
  const encoder = encodeStream(from);
  const text = events.map((event) => encoder.push(event)).join('');
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'));
  // What a chunk holds is checked by schema below.
  return { text, chunks: frames.map((frame) => JSON.parse(frame.slice(6)) as Chunk) };
}

/** How an answer begins. */
export const start: StreamEvent = { type: 'start', id: 'msg_1', model: 'claude' };
/** How a choice ends. */
export const finish = (
  reason: 'stop' | 'tool_calls' | 'length' | 'refusal' | 'other' = 'stop',
  choice = 0,
): StreamEvent => ({
  type: 'finish',
  choice,
  finish: reason,
});
/** How an answer ends. */
export const end: StreamEvent = { type: 'end' };
/** What an answer tells. */
export const usage: StreamEvent = { type: 'usage', usage: { inputTokens: 3, outputTokens: 2 } };

/** A block as decoders give it. */
export function block(head: BlockHead, whole: ContentBlock, deltas: string[], choice = 0): StreamEvent[] {
  return [
    { type: 'block-start', choice, head },
    ...deltas.map((text): StreamEvent => ({ type: 'delta', choice, text })),
    { type: 'block-end', choice, block: whole },
  ];
}
/** A text in pieces. */
export const text = (...deltas: string[]) => block({ type: 'text' }, { type: 'text', text: deltas.join('') }, deltas);
/** A call in pieces. */
export function call(callId: string, name: string, deltas: string[], more: object = {}): StreamEvent[] {
  const head = { type: 'tool-call', callId, name, kind: 'function' } as const;
  return block(head, { ...head, arguments: deltas.join(''), ...more }, deltas);
}

/** What chunks add. */
export const deltas = (chunks: Chunk[]): Delta[] => chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
/** The pieces of calls in chunks. */
export const callChunks = (chunks: Chunk[]): Piece[] => deltas(chunks).flatMap((delta) => delta.tool_calls ?? []);

/** A thought in one piece. */
export const thought = (value: string) =>
  block({ type: 'reasoning', isSummary: false }, { type: 'reasoning', text: [value], isSummary: false }, [value]);
