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
  /** The tool's group, on the wire that has groups. */
  namespace?: string;
  /** `custom` takes free text, `function` an object. */
  kind: 'function' | 'custom';
  schema?: unknown;
}

export interface TextRequest {
  model: string;
  /** In order; system turns may be anywhere. */
  turns: Turn[];
  tools: ToolDefinition[];
  toolUse: 'auto' | 'none' | 'required';
  /** The only tools that may be called. Absent: all. */
  onlyTools?: string[];
  /** False: at most one call per turn. */
  parallel: boolean;
  /** Whether the client requests reasoning. */
  thinks: boolean;
  /** Structured output; without a schema: any JSON object. */
  format?: { schema?: unknown };
  stops: string[];
  /** Number of turns behind a summary, on the wire that has summaries. */
  summarizedTurns?: number;
  /** Transcript of the last turn's audio, if its text requests one. */
  transcript?: string;
  maxTokens?: number;
}

export type ToolUse = Pick<TextRequest, 'toolUse' | 'onlyTools'>;

/** The turn of the system prompt, if it has text. */
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
    thinks: false,
    stops: [],
  };
}

/** The turns after the model's last one. */
export function openTurns({ turns }: TextRequest): Turn[] {
  return turns.slice(turns.findLastIndex(({ role }) => role === 'assistant') + 1);
}

export function lastUserText(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.role === 'user' && turn.text.trim() !== '');
  return last === undefined || last.role === 'tool' ? '' : last.text;
}
