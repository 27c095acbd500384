import type { TextProtocolName } from './text-protocol-name.ts';

/**
 * State that only the vendor can read and wants back unchanged: Anthropic's thinking signature and redacted data,
 * OpenAI's encrypted reasoning, Gemini's thought signature. It is bound to the account and model that issued it.
 */
export interface OpaqueToken {
  protocol: TextProtocolName;
  /** {@link TextTarget.account}. Absent: a client sent the token as its vendor issued it. */
  account?: string;
  model?: string;
  value: string;
}

/** The end of a cacheable prompt prefix. */
export interface CacheBreakpoint {
  /** As vendors encode it: `5m`, `30m`, `1h` … Absent: the vendor's default. */
  ttl?: string;
}

export interface Citation {
  url?: string;
  title?: string;
  start?: number;
  end?: number;
}

export interface TextBlock {
  type: 'text';
  text: string;
  cache?: CacheBreakpoint;
  citations?: Citation[];
  /** Gemini: a thought signature on a text part; the text may then be empty. */
  opaqueToken?: OpaqueToken;
}

export interface RefusalBlock {
  type: 'refusal';
  text: string;
}

export interface ReasoningBlock {
  type: 'reasoning';
  /** Visible paragraphs; empty if the vendor shows none. */
  text: string[];
  /** Whether the text is the vendor's summary instead of the reasoning itself. */
  isSummary: boolean;
  /** The vendor hides the text on purpose; the block has only its opaque token. */
  redacted?: boolean;
  id?: string;
  opaqueToken?: OpaqueToken;
}

export type BlockSource =
  | { from: 'base64'; mediaType: string; data: string }
  | { from: 'url'; url: string; mediaType?: string }
  /** A file stored at a vendor of that protocol. */
  | { from: 'file'; protocol: TextProtocolName; id: string; mediaType?: string }
  | { from: 'text'; text: string };

export interface MediaBlock {
  type: 'media';
  kind: 'image' | 'audio' | 'video' | 'document';
  source: BlockSource;
  name?: string;
  detail?: string;
  transcript?: string;
  cache?: CacheBreakpoint;
  opaqueToken?: OpaqueToken;
}

/** `function` takes a JSON object, `custom` takes free text. */
export type ToolKind = 'function' | 'custom';

export interface ToolCallBlock {
  type: 'tool-call';
  /** Joins call and result; the same for client and upstream. */
  callId: string;
  name: string;
  kind: ToolKind;
  /** As the model wrote it: JSON text, possibly invalid, or a custom tool's free text. Empty: no arguments. */
  arguments: string;
  cache?: CacheBreakpoint;
  opaqueToken?: OpaqueToken;
}

export interface ToolResultBlock {
  type: 'tool-result';
  callId: string;
  /** The tool's flat name, if the client sent it. Gemini needs it. */
  name?: string;
  kind: ToolKind;
  content: (TextBlock | MediaBlock)[];
  isError?: boolean;
  cache?: CacheBreakpoint;
}

/** A block of one protocol that no other protocol can carry. Its own protocol encodes it unchanged. */
export interface ForeignBlock {
  type: 'foreign';
  protocol: TextProtocolName;
  kind: string;
  raw: unknown;
}

export type ContentBlock =
  | TextBlock
  | RefusalBlock
  | ReasoningBlock
  | MediaBlock
  | ToolCallBlock
  | ToolResultBlock
  | ForeignBlock;
