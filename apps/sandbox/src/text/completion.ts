export interface ToolCall {
  name: string;
  namespace?: string;
  kind: 'function' | 'custom';
  /** JSON text of the arguments; free text for a custom tool. */
  input: string;
}

export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_calls' | 'refusal' | 'filter';

interface TokenCount {
  /** Includes the cached part. */
  input: number;
  cached: number;
  /** Includes reasoning. */
  output: number;
  reasoning: number;
}

export interface Completion {
  reasoning?: string;
  redacted: boolean;
  /** Includes the text of a refusal. */
  text: string;
  calls: ToolCall[];
  finish: Finish;
  stopSequence?: string;
  tokens: TokenCount;
}
