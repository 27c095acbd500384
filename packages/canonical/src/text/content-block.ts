import type { TextProtocolName } from './text-protocol-name.ts';

/**
 * What only its maker can read and wants back unchanged: Anthropic's thinking signature and redacted data, OpenAI's
 * encrypted reasoning, Gemini's thought signature. It is bound to the account and the model that made it.
 */
export interface OpaqueToken {
  protocol: TextProtocolName;
  /** The upstream account, as {@link TextTarget.account} names it. Absent: sent by a client as its vendor made it. */
  account?: string;
  /** The model's name there. */
  model?: string;
  /** As the vendor spelled it. */
  value: string;
}

/** Where a prompt cache may end. */
export interface CacheMark {
  /** As vendors write it: `5m`, `30m`, `1h` … Absent: the vendor's default. */
  ttl?: string;
}

/** A source that a text leans on. */
export interface Citation {
  url?: string;
  title?: string;
  /** Characters of the block's text that it belongs to. */
  start?: number;
  end?: number;
}

export interface TextBlock {
  type: 'text';
  text: string;
  cache?: CacheMark;
  citations?: Citation[];
  /** Gemini: a thought signature on a text part; the text may then be empty. */
  seal?: OpaqueToken;
}

/** The model declines, in its own words. */
export interface RefusalBlock {
  type: 'refusal';
  text: string;
}

/** What the model thought. */
export interface ReasoningBlock {
  type: 'reasoning';
  /** Paragraphs that may be shown; empty when the vendor shows none. */
  text: string[];
  /** Whether the text is the vendor's summary rather than the thoughts themselves. */
  isSummary: boolean;
  /** The vendor hides the text on purpose; the seal is all there is. */
  redacted?: boolean;
  /** The vendor's id of the item (`rs_…`). */
  id?: string;
  seal?: OpaqueToken;
}

/** Where a medium's bytes are. */
export type BlockSource =
  | { from: 'base64'; mediaType: string; data: string }
  | { from: 'url'; url: string; mediaType?: string }
  /** A file that lies at the vendor of that protocol. */
  | { from: 'file'; protocol: TextProtocolName; id: string; mediaType?: string }
  /** A text document. */
  | { from: 'text'; text: string };

export interface MediaBlock {
  type: 'media';
  kind: 'image' | 'audio' | 'video' | 'document';
  source: BlockSource;
  /** File name or title. */
  name?: string;
  /** How closely an image is looked at: `low`, `high`, `auto`, `original`. */
  detail?: string;
  /** What an audio says, where the vendor tells. */
  transcript?: string;
  cache?: CacheMark;
  seal?: OpaqueToken;
}

/** `function` takes a JSON object, `custom` takes free text. */
export type ToolKind = 'function' | 'custom';

/** The model wants a tool to run. */
export interface ToolCallBlock {
  type: 'tool-call';
  /** Joins call and result; the same from end to end. */
  callId: string;
  /** The tool's name as the upstream knows it: flat, see {@link Tool.name}. */
  name: string;
  kind: ToolKind;
  /** As the model wrote it: JSON text, which may be broken, or a custom tool's free text. Empty: no arguments. */
  arguments: string;
  cache?: CacheMark;
  seal?: OpaqueToken;
}

/** What a tool gave back. */
export interface ToolResultBlock {
  type: 'tool-result';
  callId: string;
  /** The tool's flat name where the client tells it; Gemini needs it. */
  name?: string;
  kind: ToolKind;
  content: (TextBlock | MediaBlock)[];
  isError?: boolean;
  cache?: CacheMark;
}

/** A block that only its own protocol knows; written back by that protocol, a loss for every other. */
export interface ForeignBlock {
  type: 'foreign';
  protocol: TextProtocolName;
  /** Its type there, named when it is lost. */
  kind: string;
  raw: unknown;
}

/** One piece of a message. */
export type ContentBlock =
  | TextBlock
  | RefusalBlock
  | ReasoningBlock
  | MediaBlock
  | ToolCallBlock
  | ToolResultBlock
  | ForeignBlock;
