/** A call that the model makes. */
export interface ToolCall {
  name: string;
  namespace?: string;
  kind: 'function' | 'custom';
  /** JSON text of the arguments; free text for a custom tool. */
  input: string;
}

/**
 * Why the model stopped: by itself, at a stop sequence, at the token limit, to call tools, because it refuses, or because
 * a filter took the prompt away.
 */
export type Finish = 'stop' | 'stop_sequence' | 'length' | 'tool_calls' | 'refusal' | 'filter';

/** Tokens, counted in words. */
interface TokenCount {
  /** All input, the cached part included. */
  input: number;
  cached: number;
  /** All output, reasoning included. */
  output: number;
  reasoning: number;
}

/** What the model says, before a wire spells it. */
export interface Completion {
  /** Thought before the rest. */
  reasoning?: string;
  /** Whether the reasoning must stay hidden. */
  redacted: boolean;
  /** The words of a refusal too. */
  text: string;
  calls: ToolCall[];
  finish: Finish;
  /** The sequence that it stopped at. */
  stopSequence?: string;
  tokens: TokenCount;
}
