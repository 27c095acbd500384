export interface ToolResult {
  name: string;
  text: string;
  images: number;
  /** Marked as an error by the client. */
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

/** A request, independent of its wire. */
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
  /** Whether the client asked for reasoning. */
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

/** Directives are searched in this text. */
export function lastUserText(turns: readonly Turn[]): string {
  const last = turns.findLast((turn) => turn.role === 'user' && turn.text.trim() !== '');
  return last === undefined || last.role === 'tool' ? '' : last.text;
}
