import { z } from 'zod';

// exactOptional: an absent field stays absent, so that a route's quirks merge with its upstream's.
const flag = (meaning: string) => z.boolean().exactOptional().describe(meaning);
const word = <const W extends string>(words: readonly W[], meaning: string) =>
  z.enum(words).exactOptional().describe(meaning);

/** How a model at an upstream differs from its protocol: `TextQuirks` of `packages/canonical`. */
export const QuirksSchema = z.strictObject({
  max_tokens_field: word(
    ['max_tokens', 'max_completion_tokens'],
    "Chat: the field for the limit. Absent: `max_tokens`, for OpenAI's reasoning models `max_completion_tokens`.",
  ),
  instruction_role: word(
    ['system', 'developer'],
    "Chat and responses: the role of instructions. Absent: `system`, for OpenAI's reasoning models `developer`.",
  ),
  sampling: flag("Whether temperature, top_p, top_k and penalties are taken. Absent: by the model's name."),
  reasoning_content: flag('Chat: whether past reasoning is sent back as `reasoning_content`. Absent: no.'),
  reasoning_effort: flag('Chat: whether `reasoning_effort` is taken. Absent: yes.'),
  top_k: flag('Chat: whether `top_k` is taken, as vLLM does. Absent: no.'),
  stream_usage: flag('Chat: whether `stream_options` is taken. Absent: yes.'),
  json_schema: flag('Chat: whether `response_format` takes a schema; else JSON mode and an instruction. Absent: yes.'),
  max_output_tokens: z
    .int()
    .min(1)
    .exactOptional()
    .describe("Messages: what `max_tokens` is when the client set none. Absent: by the model's name."),
  thinking: word(['adaptive', 'budget', 'none'], "Messages: how thinking is requested. Absent: by the model's name."),
  thinking_off: flag("Messages: whether thinking can be turned off. Absent: by the model's name."),
  forced_tool: flag("Messages: whether a tool can be forced. Absent: by the model's name."),
  system_turns: flag('Messages: whether `role: system` may stand among the messages. Absent: no.'),
  thinking_config: word(
    ['budget', 'level', 'none'],
    'Generative content: how thinking is requested; Gemini 2.5 accepts a budget, 3 a level. Absent: by the name.',
  ),
  call_ids: flag('Generative content: whether function calls carry ids; Vertex refuses them. Absent: yes.'),
  full_schema: flag(
    'Generative content: whether tools take JSON Schema; else it is cut down to the OpenAPI subset. Absent: yes.',
  ),
  transcription_formats: z
    .array(z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']))
    .min(1)
    .exactOptional()
    .describe(
      "Transcripts: the formats that the upstream writes; others are made of its `verbose_json`. Absent: by the model's name.",
    ),
});

export type QuirksConfig = z.output<typeof QuirksSchema>;
