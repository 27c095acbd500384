import type { CacheBreakpoint, ContentBlock, ToolKind } from './content-block.ts';
import type { TextProtocolName } from './text-protocol-name.ts';

/**
 * One turn of a conversation. Instructions are turns too (`system`, `developer`) and keep their position; encoders move
 * the leading ones into a protocol's instruction field. Tool results are in `user` turns.
 */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant';
  content: ContentBlock[];
  name?: string;
}

export interface Tool {
  /** `hosted` runs at the vendor. Only its own protocol can carry it. */
  kind: ToolKind | 'hosted';
  /** Unique and flat, at most 64 of `[A-Za-z0-9_-]`; tool `T` in namespace `N` is `N__T`. A hosted tool's type. */
  name: string;
  /** The client's name of the tool, if it is not `name`. */
  clientName?: { name: string; namespace?: string };
  description?: string;
  /** JSON Schema of the arguments. Absent: no arguments. */
  schema?: Record<string, unknown>;
  strict?: boolean;
  /** A custom tool's `format`. */
  grammar?: unknown;
  cache?: CacheBreakpoint;
  /** A hosted tool as the client sent it. */
  raw?: unknown;
}

/** Names are those of {@link Tool.name}. */
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
  /** How much reasoning the client wants to see; absent: the vendor's default. */
  visible?: 'none' | 'summary' | 'full';
}

export type TextFormat =
  | { type: 'text' }
  | { type: 'json' }
  | { type: 'schema'; name: string; schema: Record<string, unknown>; description?: string; strict?: boolean };

/** A text request, independent of the client's protocol. Absent fields are left to the vendor. */
export interface GenerationRequest {
  protocol: TextProtocolName;
  model: string;
  stream: boolean;
  messages: Message[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  /** False: at most one call per response. */
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
  /** Alternatives per token; 0: only the chosen token's probability. Absent: no probabilities. */
  topLogprobs?: number;
  /** Never empty. */
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
 * Why generation ended. `stop_sequence`: a requested stop sequence occurred. `context_window`: the context window is
 * full. `pause`: the vendor wants the turn sent again unchanged.
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

/** Token counts. Input includes cache reads and writes; output includes reasoning. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  imageInputTokens?: number;
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
