import type { ContentBlock, ToolKind } from './content-block.ts';
import type { FinishReason, Usage } from './generation.ts';
import type { GatewayError } from '../gateway-error.ts';

/** What is known of a block when it begins. */
export type BlockHead =
  | { type: 'text' | 'refusal' | 'media' | 'foreign' }
  | { type: 'reasoning'; isSummary: boolean; redacted?: boolean; id?: string }
  | { type: 'tool-call'; callId: string; name: string; kind: ToolKind };

/**
 * An answer as it comes. Every decoder yields, and every encoder may rely on, this order:
 *
 * `start`, then for each choice any number of blocks, then one `finish` for each choice, then `usage` where known, then
 * `end`. A block is `block-start`, any number of `delta`, `block-end`; the last holds the whole block, which the deltas
 * add up to (a block that came whole has one delta or none). At most one block of a choice is open at a time: decoders
 * hold interleaved ones back. `ping` may stand anywhere. `error` ends a stream wherever it is; a stream that breaks off
 * ends with it, never with a finish that nobody sent.
 */
export type StreamEvent =
  | { type: 'start'; id: string; model: string; usage?: Usage }
  | { type: 'block-start'; choice: number; head: BlockHead }
  /** Text of a text, refusal or reasoning block, JSON or free text of a tool call's arguments. */
  | {
      type: 'delta';
      choice: number;
      text: string;
      /** Index of a reasoning paragraph; absent: 0. */ paragraph?: number;
    }
  | { type: 'block-end'; choice: number; block: ContentBlock }
  | { type: 'finish'; choice: number; finish: FinishReason; stopSequence?: string; detail?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'ping' }
  | { type: 'error'; error: GatewayError }
  | { type: 'end' };
