export interface ToolResult {
  name: string;
  text: string;
  images: number;
  failed: boolean;
}

export type Turn =
  | { role: 'system' | 'user' | 'assistant'; text: string; images: number }
  | { role: 'tool'; results: ToolResult[] };

export interface ToolDefinition {
  name: string;
  /** The group of the tool, if the vendor API has tool groups. */
  namespace?: string;
  /** `custom` tools accept free text; `function` tools accept an object. */
  kind: 'function' | 'custom';
  schema?: unknown;
}

export interface TextRequest {
  model: string;
  /** In order. System turns may be at any position. */
  turns: Turn[];
  tools: ToolDefinition[];
  toolUse: 'auto' | 'none' | 'required';
  /** The only tools that may be called. If omitted, all tools may be called. */
  onlyTools?: string[];
  /** If false, the model makes at most one call per turn. */
  parallel: boolean;
  requestsReasoning: boolean;
  /** Structured output. Without a schema, any JSON object is valid. */
  format?: { schema?: unknown };
  stops: string[];
  /** Number of turns that a summary replaces, if the vendor API has summaries. */
  summarizedTurns?: number;
  /** Transcript of the last turn's audio, if the turn's text requests one. */
  transcript?: string;
  maxTokens?: number;
}

export type ToolUse = Pick<TextRequest, 'toolUse' | 'onlyTools'>;

/** Returns one turn for the system prompt, or none if it is empty. */
export function systemTurns(text: string): Turn[] {
  return text === '' ? [] : [{ role: 'system', text, images: 0 }];
}

export function plainRequest(model: string, text: string): TextRequest {
  return {
    model,
    turns: [{ role: 'user', text, images: 0 }],
    tools: [],
    toolUse: 'none',
    parallel: false,
    requestsReasoning: false,
    stops: [],
  };
}

/** Returns the turns after the last model turn. */
export function openTurns({ turns }: TextRequest): Turn[] {
  return turns.slice(turns.findLastIndex(({ role }) => role === 'assistant') + 1);
}

export function lastUserText(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.role === 'user' && turn.text.trim() !== '');
  return last === undefined || last.role === 'tool' ? '' : last.text;
}
