import { z } from 'zod';
import { names } from '../../schema/names.ts';
import { tagged } from '../../schema/tagged.ts';
import { Breakpoint, ImageUrl, Refusal } from '../openai-style/request-fields.ts';

const HOSTED = [
  ...names('web_search_call file_search_call code_interpreter_call image_generation_call'),
  ...names('computer_call computer_call_output local_shell_call local_shell_call_output shell_call shell_call_output'),
  ...names('apply_patch_call apply_patch_call_output tool_search_call tool_search_output'),
  ...names('mcp_list_tools mcp_call mcp_approval_request mcp_approval_response program program_output'),
];

const Id = (prefix: string) =>
  z
    .string()
    .max(64)
    .regex(/^[a-zA-Z0-9_-]+$/)
    .refine((id) => id.startsWith(prefix), { message: `Expected an ID that begins with '${prefix}'.` })
    .nullish();
const CallId = z.string().min(1).max(64);
const Status = z.enum(['in_progress', 'completed', 'incomplete']).nullish();
/** Codex sends this field. The vendor ignores it. */
const passthrough = { internal_chat_message_metadata_passthrough: z.unknown().optional() };

const InputText = tagged('input_text', { text: z.string(), prompt_cache_breakpoint: Breakpoint });
const InputImage = tagged('input_image', {
  image_url: ImageUrl.nullish(),
  file_id: z.string().nullish(),
  detail: z.enum(['low', 'high', 'auto', 'original']).nullish(),
  prompt_cache_breakpoint: Breakpoint,
});
const InputFile = tagged('input_file', {
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
    tagged('output_text', {
      text: z.string(),
      annotations: z.array(z.unknown()).nullish(),
      logprobs: z.array(z.unknown()).nullish(),
    }),
    Refusal,
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
const Summary = z.array(tagged('summary_text', { text: z.string() }));

const call = {
  call_id: CallId,
  namespace: z.string().nullish(),
  status: Status,
  caller: z.unknown().optional(),
  ...passthrough,
};
const toolCall = <Type extends string, Shape extends z.ZodRawShape>(type: Type, prefix: string, shape: Shape) =>
  tagged(type, {
    id: Id(prefix),
    name: z.string().min(1).max(128),
    async: z.boolean().nullish(),
    ...call,
    ...shape,
  });
const callOutput = <Type extends string>(type: Type, prefix: string) =>
  tagged(type, { id: Id(prefix), output: Output, name: z.string().nullish(), ...call, call_id: CallId.nullish() });

export const InputItemSchema = z.discriminatedUnion('type', [
  Message,
  toolCall('function_call', 'fc', { arguments: z.string() }),
  callOutput('function_call_output', 'fc'),
  toolCall('custom_tool_call', 'ctc', { input: z.string() }),
  callOutput('custom_tool_call_output', 'ctc'),
  tagged('reasoning', {
    id: Id('rs'),
    summary: Summary,
    content: z.array(tagged('reasoning_text', { text: z.string() })).nullish(),
    encrypted_content: z.string().nullish(),
    status: Status,
    ...passthrough,
  }),
  tagged('item_reference', { id: z.string() }),
  tagged('compaction', { id: Id('cmp'), encrypted_content: z.string(), ...passthrough }),
  tagged('compaction_trigger', { id: z.string().nullish(), ...passthrough }),
  tagged('additional_tools', {
    id: z.string().nullish(),
    role: z.literal('developer'),
    tools: z.array(z.looseObject({ type: z.string() })),
    ...passthrough,
  }),
  tagged('configuration_update', {
    id: z.string().nullish(),
    reasoning: z.looseObject({ effort: z.string().optional() }).optional(),
    text: z.looseObject({}).optional(),
  }),
  // Hosted tool items are not fully checked.
  z.looseObject({ type: z.enum(HOSTED) }),
]);

export type InputItem = z.output<typeof InputItemSchema>;

/** Adds the type that messages and item references may omit. */
export function withType(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  if ('type' in item && item.type !== null && item.type !== undefined) return item;
  return { ...item, type: 'role' in item ? 'message' : 'item_reference' };
}
