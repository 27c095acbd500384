import { z } from 'zod';

// `exactOptional` keeps absent fields absent, so that a route's quirks can be merged with its upstream's.
const flag = (meaning: string) => z.boolean().exactOptional().describe(meaning);
const oneOf = <const V extends string>(values: readonly V[], meaning: string) =>
  z.enum(values).exactOptional().describe(meaning);

/** How an upstream's model differs from its protocol (`TextQuirks` in `packages/canonical`). */
export const QuirksSchema = z.strictObject({
  max_tokens_field: oneOf(
    ['max_tokens', 'max_completion_tokens'],
    "Chat completions: the field that carries the output limit. If omitted, `max_tokens`, or `max_completion_tokens` for OpenAI's reasoning models.",
  ),
  instruction_role: oneOf(
    ['system', 'developer'],
    "Chat completions and responses: the role of instructions. If omitted, `system`, or `developer` for OpenAI's reasoning models.",
  ),
  sampling: flag(
    "Whether the model accepts temperature, top_p, top_k, and penalties. If omitted, the model's name decides.",
  ),
  reasoning_content: flag(
    'Chat completions: whether Sluice sends earlier reasoning as `reasoning_content`. If omitted, it does not.',
  ),
  reasoning_effort: flag('Chat completions: whether the model accepts `reasoning_effort`. If omitted, it does.'),
  top_k: flag('Chat completions: whether the model accepts `top_k`, as vLLM does. If omitted, it does not.'),
  stream_usage: flag('Chat completions: whether the model accepts `stream_options`. If omitted, it does.'),
  json_schema: flag(
    'Chat completions: whether `response_format` accepts a schema. If false, Sluice sends JSON mode and an instruction. If omitted, it does.',
  ),
  max_output_tokens: z
    .int()
    .min(1)
    .exactOptional()
    .describe("Messages: the `max_tokens` of requests without an output limit. If omitted, the model's name decides."),
  thinking: oneOf(
    ['adaptive', 'budget', 'none'],
    "Messages: how Sluice requests thinking. If omitted, the model's name decides.",
  ),
  thinking_off: flag("Messages: whether thinking can be turned off. If omitted, the model's name decides."),
  forced_tool: flag("Messages: whether a request can force a tool call. If omitted, the model's name decides."),
  system_turns: flag('Messages: whether messages can have `role: system`. If omitted, they cannot.'),
  threads: flag(
    'Messages: whether the upstream stores threads. If omitted, it does not, except for the built-in `anthropic`.',
  ),
  betas: z
    .union([z.literal('all'), z.array(z.string().regex(/^[\w.:-]+$/, 'must be a value of `anthropic-beta`'))])
    .exactOptional()
    .describe(
      'Messages: the values of `anthropic-beta` that the upstream accepts, or `all`. If omitted, the host in `base_url` decides.',
    ),
  version_in_body: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must be a version, e.g. `vertex-2023-10-16`')
    .exactOptional()
    .describe(
      'Messages: the `anthropic_version` that the upstream requires in the body, in place of the model. If omitted, the body contains the model, except for Vertex AI, which requires `vertex-2023-10-16`.',
    ),
  thinking_config: oneOf(
    ['budget', 'level', 'none'],
    "Generative content: how Sluice requests thinking. Gemini 2.5 accepts a budget, and Gemini 3 a level. If omitted, the model's name decides.",
  ),
  files: flag(
    'Whether Sluice uploads large files of requests to the upstream (`files.vendor_upload_bytes`). If omitted, only to the hosts of OpenAI, Anthropic, and the Gemini API.',
  ),
  call_ids: flag(
    'Generative content: whether function calls have ids. If omitted, they have ids, except on Vertex AI.',
  ),
  full_schema: flag(
    'Generative content: whether tools accept JSON Schema. If false, Sluice reduces schemas to the OpenAPI subset. If omitted, they do.',
  ),
  transcription_formats: z
    .array(z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']))
    .min(1)
    .exactOptional()
    .describe(
      "Transcriptions: the formats that the upstream supports. Sluice converts `verbose_json` to the others. If omitted, the model's name decides.",
    ),
});

export type QuirksConfig = z.output<typeof QuirksSchema>;
