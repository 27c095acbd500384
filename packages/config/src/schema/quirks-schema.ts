import { z } from 'zod';

// With exactOptional, absent fields stay absent, so a route's quirks merge with its upstream's.
const flag = (meaning: string) => z.boolean().exactOptional().describe(meaning);
const oneOf = <const V extends string>(values: readonly V[], meaning: string) =>
  z.enum(values).exactOptional().describe(meaning);

/** How an upstream's model differs from its protocol: `TextQuirks` in `packages/canonical`. */
export const QuirksSchema = z.strictObject({
  max_tokens_field: oneOf(
    ['max_tokens', 'max_completion_tokens'],
    "Chat: the field for the output limit. Absent: `max_tokens`, or `max_completion_tokens` for OpenAI's reasoning models.",
  ),
  instruction_role: oneOf(
    ['system', 'developer'],
    "Chat and responses: the role of instructions. Absent: `system`, or `developer` for OpenAI's reasoning models.",
  ),
  sampling: flag("Whether temperature, top_p, top_k, and penalties are accepted. Absent: by the model's name."),
  reasoning_content: flag('Chat: whether past reasoning is sent back as `reasoning_content`. Absent: no.'),
  reasoning_effort: flag('Chat: whether `reasoning_effort` is accepted. Absent: yes.'),
  top_k: flag('Chat: whether `top_k` is accepted, as by vLLM. Absent: no.'),
  stream_usage: flag('Chat: whether `stream_options` is accepted. Absent: yes.'),
  json_schema: flag(
    'Chat: whether `response_format` accepts a schema; otherwise JSON mode and an instruction are sent. Absent: yes.',
  ),
  max_output_tokens: z
    .int()
    .min(1)
    .exactOptional()
    .describe("Messages: `max_tokens` of requests that set none. Absent: by the model's name."),
  thinking: oneOf(['adaptive', 'budget', 'none'], "Messages: how thinking is requested. Absent: by the model's name."),
  thinking_off: flag("Messages: whether thinking can be turned off. Absent: by the model's name."),
  forced_tool: flag("Messages: whether a tool can be forced. Absent: by the model's name."),
  system_turns: flag('Messages: whether `role: system` is allowed among the messages. Absent: no.'),
  threads: flag('Messages: whether the upstream stores threads. Absent: no, except at the built-in `anthropic`.'),
  thinking_config: oneOf(
    ['budget', 'level', 'none'],
    'Generative content: how thinking is requested; Gemini 2.5 accepts a budget, 3 a level. Absent: by the name.',
  ),
  call_ids: flag('Generative content: whether function calls carry ids; Vertex rejects them. Absent: yes.'),
  full_schema: flag(
    'Generative content: whether tools accept JSON Schema; otherwise it is reduced to the OpenAPI subset. Absent: yes.',
  ),
  transcription_formats: z
    .array(z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']))
    .min(1)
    .exactOptional()
    .describe(
      "Transcripts: formats that the upstream writes; others are converted from `verbose_json`. Absent: by the model's name.",
    ),
});

export type QuirksConfig = z.output<typeof QuirksSchema>;
