import type { CacheMark, ContentBlock, ToolKind } from './content-block.ts';
import type { TextProtocolName } from './text-protocol-name.ts';

/**
 * One turn of a conversation. Instructions are turns too (`system`, `developer`) and keep their place; the encoders
 * lift the leading ones where a protocol has a field for them. Tool results stand in `user` turns.
 */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant';
  content: ContentBlock[];
  name?: string;
}

/** A tool that the client can run, or one that the vendor runs itself. */
export interface Tool {
  /** `hosted` runs at the vendor; only its own protocol can carry it. */
  kind: ToolKind | 'hosted';
  /** Unique and flat, at most 64 of `[A-Za-z0-9_-]`; a tool in a namespace `N` is `N__T`. For a hosted tool, its type. */
  name: string;
  /** What the client calls it, where that is not `name`. */
  clientName?: { name: string; namespace?: string };
  description?: string;
  /** JSON Schema of the arguments. Absent: no arguments. */
  schema?: Record<string, unknown>;
  strict?: boolean;
  /** A custom tool's `format` as the client sent it. */
  grammar?: unknown;
  cache?: CacheMark;
  /** A hosted tool as the client sent it. */
  raw?: unknown;
}

/** Names are those of {@link Tool.name}. */
export type ToolChoice =
  | { type: 'auto' | 'none' | 'required' }
  | { type: 'tool'; name: string }
  | { type: 'allowed'; mode: 'auto' | 'required'; names: string[] };

/** How hard a model should think, from not at all upwards. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;

/** One of {@link EFFORTS}. */
export type Effort = (typeof EFFORTS)[number];

/** How the model shall think. */
export interface Reasoning {
  /** False: explicitly off. */
  enabled?: boolean;
  effort?: Effort;
  /** Most tokens to think with. */
  budgetTokens?: number;
  /** The model decides itself how much. */
  adaptive?: boolean;
  /** Whether the client wants to see it; absent: as the vendor does by default. */
  visible?: 'none' | 'summary' | 'full';
}

/** What the answer shall look like. */
export type TextFormat =
  | { type: 'text' }
  | { type: 'json' }
  | { type: 'schema'; name: string; schema: Record<string, unknown>; description?: string; strict?: boolean };

/** A wish for text, whatever the protocol it was spelled in. Absent fields are the vendor's choice. */
export interface GenerationRequest {
  /** The protocol that the client speaks. */
  protocol: TextProtocolName;
  /** The id that the client asked for. */
  model: string;
  stream: boolean;
  messages: Message[];
  tools: Tool[];
  toolChoice?: ToolChoice;
  /** False: at most one call at a time. */
  parallelToolCalls?: boolean;
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  /** Answers wanted; absent: one. */
  choices?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  logitBias?: Record<string, number>;
  /** Alternatives told per token; 0: only the chosen one's probability. Absent: none. */
  topLogprobs?: number;
  /** Texts at which to stop; never empty. */
  stop?: string[];
  format?: TextFormat;
  verbosity?: 'low' | 'medium' | 'high';
  /** Beyond text. */
  modalities?: ('text' | 'audio' | 'image')[];
  /** Chat's `audio` object. */
  audio?: { format?: string; voice?: unknown };
  reasoning?: Reasoning;
  cache?: { key?: string; auto?: CacheMark };
  serviceTier?: string;
  user?: string;
  metadata?: Record<string, string>;
  /** Gemini's safety settings as sent. */
  safety?: { category: string; threshold: string }[];
}

/**
 * Why an answer ended. `stop_sequence` when a given text was met, `context_window` when the model's window is full,
 * `pause` when the vendor wants the turn sent again as it is.
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

/** Tokens, inclusive: input holds what was read from and written to caches, output holds the reasoning. */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** Of the input, read from the prompt cache. */
  cachedTokens?: number;
  /** Of the input, written to the prompt cache. */
  cacheWriteTokens?: number;
  /** Of the output. */
  reasoningTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  imageInputTokens?: number;
}

/** One answer of possibly several. */
export interface Choice {
  content: ContentBlock[];
  finish: FinishReason;
  /** The text that was met. */
  stopSequence?: string;
  /** The vendor's words about a refusal. */
  detail?: string;
}

/** A whole answer. */
export interface Generation {
  /** The upstream's id of the answer. */
  id: string;
  /** The model's name as the upstream tells it. */
  model: string;
  /** At least one. */
  choices: Choice[];
  usage?: Usage;
  serviceTier?: string;
}
