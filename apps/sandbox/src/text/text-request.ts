/** What a tool gave back, whichever wire carried it. */
export interface ToolResult {
  /** The tool's name, as the call named it. */
  name: string;
  text: string;
  /** How many images it holds. */
  images: number;
  /** Whether the caller marked it as an error. */
  failed: boolean;
}

/** One turn of a conversation. */
export type Turn =
  | { role: 'system' | 'user' | 'assistant'; text: string; images: number }
  | { role: 'tool'; results: ToolResult[] };

/** A tool that the model may call. */
export interface ToolDefinition {
  name: string;
  /** The group it stands in, on the wire that has groups. */
  namespace?: string;
  /** `custom` takes free text, `function` an object. */
  kind: 'function' | 'custom';
  /** The JSON schema of its arguments. */
  schema?: unknown;
}

/** What a caller asks of the model, without its wire's spelling. */
export interface TextRequest {
  model: string;
  /** In order; system turns may stand anywhere. */
  turns: Turn[];
  tools: ToolDefinition[];
  /** Whether tools may or must be called. */
  toolUse: 'auto' | 'none' | 'required';
  /** The only tools that may be called; absent: all. */
  onlyTools?: string[];
  /** False: one call in a turn at most. */
  parallel: boolean;
  /** Whether the caller asked for reasoning in its wire's own way. */
  thinks: boolean;
  /** Structured output; without a schema: any JSON object. */
  format?: { schema?: unknown };
  stops: string[];
  /** How many turns a summary stands for, on the wire that has summaries. */
  summarizedTurns?: number;
  /** What the sound of the last turn says, where its text asks for it in writing. */
  transcript?: string;
  /** The most tokens of text. */
  maxTokens?: number;
}

/** A text alone, as calls have it that are no conversation. */
export function plainRequest(model: string, text: string): TextRequest {
  return {
    model,
    turns: [{ role: 'user', text, images: 0 }],
    tools: [],
    toolUse: 'none',
    parallel: false,
    thinks: false,
    stops: [],
  };
}

/** The turns after the model's last one: what it is to answer. */
export function openTurns({ turns }: TextRequest): Turn[] {
  return turns.slice(turns.findLastIndex(({ role }) => role === 'assistant') + 1);
}

/** The text of the last user turn that has any, in which words are looked for. */
export function lastUserText(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.role === 'user' && turn.text.trim() !== '');
  return last === undefined || last.role === 'tool' ? '' : last.text;
}
