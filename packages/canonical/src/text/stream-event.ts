import type { ContentBlock, ToolKind } from './content-block.ts';
import type { FinishReason, Usage } from './generation.ts';
import type { GatewayError } from '../errors/gateway-error.ts';

export type BlockHead =
  | { type: 'text' | 'refusal' | 'media' | 'foreign' }
  | { type: 'reasoning'; isSummary: boolean; redacted?: boolean; id?: string }
  | { type: 'tool-call'; callId: string; name: string; kind: ToolKind };

/**
 * Events of a streamed response. Every decoder yields events in this order, and every encoder can rely on it:
 *
 * `start`, then any number of blocks for each choice, then `service-tier` if known, then one `finish` for each choice,
 * then `usage` if known, then `end`. A block is `block-start`, any number of `delta`, and `block-end`. `block-end` holds the complete block, which
 * equals the sum of its deltas; a block that arrives complete has one delta or none. Each choice has at most one open
 * block: decoders buffer interleaved blocks. `ping` may occur anywhere. `error` ends the stream. A stream that is cut
 * off ends with `error`, never with a `finish` that the upstream did not send.
 */
export type StreamEvent =
  | { type: 'start'; id: string; model: string; usage?: Usage }
  | { type: 'block-start'; choice: number; head: BlockHead }
  /**
   * Text, or a tool call's arguments (JSON or free text). `paragraph` is the index of a paragraph in a reasoning block;
   * the default is 0.
   */
  | { type: 'delta'; choice: number; text: string; paragraph?: number }
  | { type: 'block-end'; choice: number; block: ContentBlock }
  | { type: 'service-tier'; serviceTier: string }
  | { type: 'finish'; choice: number; finish: FinishReason; stopSequence?: string; detail?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'ping' }
  | { type: 'error'; error: GatewayError }
  | { type: 'end' };
