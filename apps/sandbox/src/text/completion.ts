export interface ToolCall {
  name: string;
  namespace?: string;
  kind: 'function' | 'custom';
  /** Arguments as JSON text, or free text for a custom tool. */
  input: string;
}

export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_calls' | 'refusal' | 'filter';

interface TokenCount {
  /** Number of input tokens, including cached tokens. */
  input: number;
  cached: number;
  /** Number of output tokens, including reasoning tokens. */
  output: number;
  reasoning: number;
}

export interface Completion {
  reasoning?: string;
  redacted: boolean;
  /** The response's text. For a refusal, it is the refusal's text. */
  text: string;
  calls: ToolCall[];
  finish: Finish;
  stopSequence?: string;
  tokens: TokenCount;
}
