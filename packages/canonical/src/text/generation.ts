import type { CacheBreakpoint, ContentBlock, ToolKind } from './content-block.ts';
import type { TextProtocolName } from './text-protocol-name.ts';

/**
 * One turn of a conversation. Instructions are also turns (`system`, `developer`) and keep their position. Encoders
 * move leading instructions into the protocol's instruction field. Tool results are in `user` turns.
 */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant';
  content: ContentBlock[];
  name?: string;
}

export interface Tool {
  /** A `hosted` tool runs at the vendor. Only the vendor's own protocol supports it. */
  kind: ToolKind | 'hosted';
  /**
   * Unique flat name of at most 64 characters (`[A-Za-z0-9_-]`). Tool `T` in namespace `N` is `N__T`. The name of a
   * hosted tool is its type.
   */
  name: string;
  /** The client's name for the tool, if it differs from `name`. */
  clientName?: { name: string; namespace?: string };
  description?: string;
  /** JSON Schema of the arguments. Absent if the client sent none. */
  schema?: Record<string, unknown>;
  strict?: boolean;
  /** The `format` of a custom tool. */
  grammar?: unknown;
  cache?: CacheBreakpoint;
  /** A hosted tool, exactly as the client sent it. */
  raw?: unknown;
}

/** Refers to tools by {@link Tool.name}. */
export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string }
  | { type: 'allowed'; mode: 'auto' | 'required'; names: string[] };

export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Effort = (typeof EFFORTS)[number];

export interface Reasoning {
  enabled?: boolean;
  effort?: Effort;
  budgetTokens?: number;
  adaptive?: boolean;
  /** How much reasoning the client wants to see. If absent, the vendor's default applies. */
  visible?: 'none' | 'summary' | 'full';
}

export type TextFormat =
  | { type: 'text' }
  | { type: 'json' }
  | { type: 'schema'; name: string; schema: Record<string, unknown>; description?: string; strict?: boolean };

/** A text request, independent of the client's protocol. If a field is absent, the vendor's default applies. */
export interface GenerationRequest {
  protocol: TextProtocolName;
  model: string;
  stream: boolean;
  messages: Message[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  /** If false, each response contains at most one tool call. */
  parallelToolCalls?: boolean;
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  choices?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  logitBias?: Record<string, number>;
  /** Number of alternatives per token; 0 returns only the chosen token's probability. If absent, none are returned. */
  topLogprobs?: number;
  /** Stop sequences. The list is never empty. */
  stop?: string[];
  format?: TextFormat;
  verbosity?: 'low' | 'medium' | 'high';
  modalities?: ('text' | 'audio' | 'image')[];
  audio?: { format?: string; voice?: unknown };
  reasoning?: Reasoning;
  cache?: { key?: string; auto?: CacheBreakpoint };
  serviceTier?: string;
  user?: string;
  metadata?: Record<string, string>;
  safety?: { category: string; threshold: string }[];
}

/**
 * Why generation ended. `stop_sequence`: the model generated one of the request's stop sequences. `context_window`: the
 * context window is full. `pause`: the client must send the same turn again unchanged.
 */
export type FinishReason =
  | 'stop'
  | 'stop_sequence'
  | 'length'
  | 'context_window'
  | 'tool_calls'
  | 'content_filter'
  | 'refusal'
  | 'pause'
  | 'other';

/** Token counts. `input` includes cache reads and writes; `output` includes reasoning. Prices depend on all fields. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  /** The part of the cache writes that live for an hour. */
  cacheWrite1hTokens?: number;
  reasoningTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  imageInputTokens?: number;
  imageOutputTokens?: number;
  /** Seconds of audio input, e.g. of a transcription that is billed by time. */
  audioSeconds?: number;
  /** Web searches that the vendor ran. */
  searches?: number;
  /** The tier that the vendor reports. Prices can depend on it. */
  serviceTier?: string;
}

export interface Choice {
  content: ContentBlock[];
  finish: FinishReason;
  stopSequence?: string;
  detail?: string;
}

export interface Generation {
  id: string;
  model: string;
  choices: Choice[];
  usage?: Usage;
  serviceTier?: string;
}
