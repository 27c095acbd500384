import { z } from 'zod';

const HOSTED = [
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'computer_call',
  'computer_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'apply_patch_call_output',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'mcp_approval_response',
  'tool_search_call',
  'tool_search_output',
] as const;

const Id = (prefix: string) =>
  z
    .string()
    .max(64)
    .regex(/^[a-zA-Z0-9_-]+$/)
    .refine((id) => id.startsWith(prefix), { message: `Expected an ID that begins with '${prefix}'.` })
    .nullish();
const CallId = z.string().min(1).max(64);
const Status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();
const Breakpoint = z.looseObject({ mode: z.string() }).optional();
/** Sent by Codex; ignored by the vendor. */
const passthrough = { internal_chat_message_metadata_passthrough: z.unknown().optional() };

const InputText = z.strictObject({
  type: z.literal('input_text'),
  text: z.string(),
  prompt_cache_breakpoint: Breakpoint,
});
const IMAGE_URL = /^(?:https?:\/\/|data:image\/[a-z.+-]+;base64,[A-Za-z0-9+/]+=*$)/;
const InputImage = z.strictObject({
  type: z.literal('input_image'),
  image_url: z
    .string()
    .refine((url) => IMAGE_URL.test(url), {
      message:
        "Expected a valid URL, or a base64-encoded data URL with an image MIME type (e.g. 'data:image/png;base64,aW1nIGJ5dGVzIGhlcmU=').",
    })
    .nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(['low', 'high', 'auto', 'original']).nullish(),
  prompt_cache_breakpoint: Breakpoint,
});
const InputFile = z.strictObject({
  type: z.literal('input_file'),
  file_data: z.string().nullish(),
  file_url: z.string().nullish(),
  file_id: z.string().nullish(),
  filename: z.string().nullish(),
  detail: z.string().nullish(),
  prompt_cache_breakpoint: Breakpoint,
});
const InputParts = z.array(z.discriminatedUnion('type', [InputText, InputImage, InputFile]));
const OutputParts = z.array(
  z.discriminatedUnion('type', [
    z.strictObject({
      type: z.literal('output_text'),
      text: z.string(),
      annotations: z.array(z.unknown()).nullish(),
      logprobs: z.array(z.unknown()).nullish(),
    }),
    z.strictObject({ type: z.literal('refusal'), refusal: z.string() }),
  ]),
);

const message = {
  type: z.literal('message'),
  id: Id('msg'),
  status: Status,
  phase: z.enum(['commentary', 'final_answer']).nullish(),
  ...passthrough,
};
const Message = z.discriminatedUnion('role', [
  z.strictObject({
    ...message,
    role: z.enum(['user', 'system', 'developer']),
    content: z.union([z.string(), InputParts]),
  }),
  z.strictObject({ ...message, role: z.literal('assistant'), content: z.union([z.string(), OutputParts]) }),
]);

const Output = z.union([z.string(), InputParts]);
const Summary = z.array(z.strictObject({ type: z.literal('summary_text'), text: z.string() }));

export const InputItemSchema = z.discriminatedUnion('type', [
  Message,
  z.strictObject({
    type: z.literal('function_call'),
    id: Id('fc'),
    call_id: CallId,
    name: z.string().min(1).max(128),
    arguments: z.string(),
    namespace: z.string().nullish(),
    status: Status,
    async: z.boolean().nullish(),
    caller: z.unknown().optional(),
    ...passthrough,
  }),
  z.strictObject({
    type: z.literal('function_call_output'),
    id: Id('fc'),
    call_id: CallId,
    output: Output,
    name: z.string().nullish(),
    namespace: z.string().nullish(),
    status: Status,
    ...passthrough,
  }),
  z.strictObject({
    type: z.literal('custom_tool_call'),
    id: Id('ctc'),
    call_id: CallId,
    name: z.string().min(1).max(128),
    input: z.string(),
    namespace: z.string().nullish(),
    status: Status,
    ...passthrough,
  }),
  z.strictObject({
    type: z.literal('custom_tool_call_output'),
    id: Id('ctc'),
    call_id: CallId,
    output: Output,
    name: z.string().nullish(),
    namespace: z.string().nullish(),
    status: Status,
    ...passthrough,
  }),
  z.strictObject({
    type: z.literal('reasoning'),
    id: Id('rs'),
    summary: Summary,
    content: z.array(z.strictObject({ type: z.literal('reasoning_text'), text: z.string() })).nullish(),
    encrypted_content: z.string().nullish(),
    status: Status,
    ...passthrough,
  }),
  z.strictObject({ type: z.literal('item_reference'), id: z.string() }),
  z.strictObject({ type: z.literal('compaction'), id: Id('cmp'), encrypted_content: z.string(), ...passthrough }),
  z.strictObject({ type: z.literal('compaction_trigger'), ...passthrough }),
  z.strictObject({
    type: z.literal('additional_tools'),
    id: z.string().nullish(),
    role: z.literal('developer'),
    tools: z.array(z.looseObject({ type: z.string() })),
    ...passthrough,
  }),
  z.strictObject({
    type: z.literal('configuration_update'),
    reasoning: z.looseObject({ effort: z.string().optional() }).optional(),
    text: z.looseObject({}).optional(),
  }),
  // Hosted items are not checked in depth.
  z.looseObject({ type: z.enum(HOSTED) }),
]);

export type InputItem = z.output<typeof InputItemSchema>;

/** The type of messages and item references may be omitted. */
export function withType(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  if ('type' in item && item.type !== null && item.type !== undefined) return item;
  return { ...item, type: 'role' in item ? 'message' : 'item_reference' };
}
