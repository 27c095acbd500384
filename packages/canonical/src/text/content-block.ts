import type { TextProtocolName, UpstreamProtocolName } from './text-protocol-name.ts';

/**
 * Encrypted state that the vendor requires clients to return unchanged: Anthropic's thinking signature and redacted
 * data, OpenAI's encrypted reasoning, or Gemini's thought signature. It is bound to the account and model that issued
 * it.
 */
export interface OpaqueToken {
  protocol: UpstreamProtocolName;
  /** See {@link TextTarget.account}. Absent if the client sent the token exactly as its vendor issued it. */
  account?: string;
  model?: string;
  value: string;
}

/** Marks the end of a prompt prefix that can be cached. */
export interface CacheBreakpoint {
  /** Lifetime in the vendors' format (e.g. `5m`, `30m`, `1h`). If absent, the vendor's default applies. */
  ttl?: string;
}

export interface Citation {
  url?: string;
  /** A file stored with the vendor. */
  fileId?: string;
  title?: string;
  /** The cited text of the source. */
  text?: string;
  /** Range of the response's text, in UTF-16 code units. */
  start?: number;
  end?: number;
  /** Whether the gateway translated it for the client in an earlier turn. It is then no loss if it is not sent. */
  isTranslated?: boolean;
}

export interface TextBlock {
  type: 'text';
  text: string;
  cache?: CacheBreakpoint;
  citations?: Citation[];
  /** Gemini's thought signature on a text part, whose text may be empty. */
  opaqueToken?: OpaqueToken;
}

export interface RefusalBlock {
  type: 'refusal';
  text: string;
}

export interface ReasoningBlock {
  type: 'reasoning';
  /** Visible paragraphs; empty if the vendor shows no reasoning. */
  text: string[];
  /** Whether the text is the vendor's summary and not the reasoning itself. */
  isSummary: boolean;
  /** Whether the vendor deliberately hides the text. The block then contains only its opaque token. */
  redacted?: boolean;
  id?: string;
  opaqueToken?: OpaqueToken;
}

export type BlockSource =
  | { from: 'base64'; mediaType: string; data: string }
  | { from: 'url'; url: string; mediaType?: string }
  /** A file stored at a vendor that uses this protocol. */
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

/** The arguments of a `function` are a JSON object; the input of a `custom` tool is free text. */
export type ToolKind = 'function' | 'custom';

export interface ToolCallBlock {
  type: 'tool-call';
  /** Links a call to its result. The client and the upstream use the same id. */
  callId: string;
  name: string;
  kind: ToolKind;
  /** Exactly what the model generated: JSON text, possibly invalid, or a custom tool's free text. May be empty. */
  arguments: string;
  cache?: CacheBreakpoint;
  opaqueToken?: OpaqueToken;
}

export interface ToolResultBlock {
  type: 'tool-result';
  callId: string;
  /** The tool's flat name, if the client sent it. Gemini requires it. */
  name?: string;
  kind: ToolKind;
  content: (TextBlock | MediaBlock)[];
  isError?: boolean;
  cache?: CacheBreakpoint;
}

/** A block that only one protocol supports. The same protocol encodes it unchanged. */
export interface ForeignBlock {
  type: 'foreign';
  protocol: UpstreamProtocolName;
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
