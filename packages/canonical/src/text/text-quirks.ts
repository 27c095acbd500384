import type { TranscriptFormat } from '../direct/transcription.ts';

/**
 * How a model at an upstream differs from its protocol's plain reading. Absent: the default of the protocol for the
 * model's name. Spelled as in `sluice.yaml`, under `quirks` of an upstream or a route; a route's wins.
 */
export interface TextQuirks {
  /** Chat: the field for the limit. Default `max_tokens`, for OpenAI's reasoning models `max_completion_tokens`. */
  max_tokens_field?: 'max_tokens' | 'max_completion_tokens';
  /** Chat and responses: the role of instructions. Default `system`, for OpenAI's reasoning models `developer`. */
  instruction_role?: 'system' | 'developer';
  /** Whether temperature, top_p, top_k and penalties are taken. */
  sampling?: boolean;
  /** Chat: whether past reasoning is sent back as `reasoning_content`. Default false. */
  reasoning_content?: boolean;
  /** Chat: whether the upstream takes `reasoning_effort`. Default true. */
  reasoning_effort?: boolean;
  /** Chat: whether `top_k` is taken, as vLLM does. Default false. */
  top_k?: boolean;
  /** Chat: whether `stream_options` is taken. Default true. */
  stream_usage?: boolean;
  /** Chat: whether `response_format` takes a schema; else JSON mode and an instruction. Default true. */
  json_schema?: boolean;
  /** Messages: what `max_tokens` is when the client set none. */
  max_output_tokens?: number;
  /** Messages: how thinking is asked for. */
  thinking?: 'adaptive' | 'budget' | 'none';
  /** Messages: whether thinking can be turned off. */
  thinking_off?: boolean;
  /** Messages: whether a tool can be forced. */
  forced_tool?: boolean;
  /** Messages: whether `role: system` may stand among the messages. Default false. */
  system_turns?: boolean;
  /** Gemini: how thinking is asked for: Gemini 2.5 takes a budget, 3 a level. */
  thinking_config?: 'budget' | 'level' | 'none';
  /** Gemini: whether function calls carry ids (Vertex refuses them). Default true. */
  call_ids?: boolean;
  /** Gemini: whether tools take JSON Schema; else it is cut down to the OpenAPI subset. Default true. */
  full_schema?: boolean;
  /** Transcripts: the formats that the upstream writes itself; others are made of `verbose_json` here. Default: by the name. */
  transcription_formats?: TranscriptFormat[];
}
