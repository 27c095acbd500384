import type { TranscriptFormat } from '../transcript-format.ts';

/**
 * How a model differs from its protocol. Absent fields: the protocol's default for the model's name. Named as in
 * `sluice.yaml`, under `quirks` of an upstream or a route; a route's value wins.
 */
export interface TextQuirks {
  /** Chat: field for the output limit. Default `max_tokens`; `max_completion_tokens` for OpenAI's reasoning models. */
  max_tokens_field?: 'max_tokens' | 'max_completion_tokens';
  /** Chat and responses: role of instructions. Default `system`; `developer` for OpenAI's reasoning models. */
  instruction_role?: 'system' | 'developer';
  /** Whether temperature, top_p, top_k, and penalties are supported. */
  sampling?: boolean;
  /** Chat: whether past reasoning is sent back as `reasoning_content`. Default false. */
  reasoning_content?: boolean;
  /** Chat: whether `reasoning_effort` is supported. Default true. */
  reasoning_effort?: boolean;
  /** Chat: whether `top_k` is supported, as in vLLM. Default false. */
  top_k?: boolean;
  /** Chat: whether `stream_options` is supported. Default true. */
  stream_usage?: boolean;
  /** Chat: whether `response_format` supports a schema; otherwise JSON mode and an instruction. Default true. */
  json_schema?: boolean;
  /** Messages: `max_tokens` if the client sets none. */
  max_output_tokens?: number;
  /** Messages: how thinking is requested. */
  thinking?: 'adaptive' | 'budget' | 'none';
  /** Messages: whether thinking can be disabled. */
  thinking_off?: boolean;
  /** Messages: whether a tool can be forced. */
  forced_tool?: boolean;
  /** Messages: whether `role: system` is allowed among the messages. Default false. */
  system_turns?: boolean;
  /** Gemini: how thinking is requested. Gemini 2.5 takes a budget, Gemini 3 a level. */
  thinking_config?: 'budget' | 'level' | 'none';
  /** Gemini: whether function calls carry ids (Vertex rejects them). Default true. */
  call_ids?: boolean;
  /** Gemini: whether tools support JSON Schema; otherwise the schema is reduced to the OpenAPI subset. Default true. */
  full_schema?: boolean;
  /**
   * Transcripts: formats that the upstream writes itself; others are built from `verbose_json`. Default: by model name.
   */
  transcription_formats?: TranscriptFormat[];
}
