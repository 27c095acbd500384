import * as z from 'zod';

/** Schemas of about the detail that a gateway needs, for the bare Fastify peer. */
const part = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(part), z.null()]);
const toolCall = z.looseObject({
  id: z.string(),
  type: z.string(),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const message = z.looseObject({
  role: z.string(),
  content: content.optional(),
  name: z.string().optional(),
  tool_calls: z.array(toolCall).optional(),
  tool_call_id: z.string().optional(),
});
const texts = z.union([z.string(), z.array(z.string())]);

export const chatBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({}).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  n: z.int().min(1).optional(),
  max_tokens: z.int().optional(),
  max_completion_tokens: z.int().optional(),
  presence_penalty: z.number().optional(),
  frequency_penalty: z.number().optional(),
  stop: texts.optional(),
  seed: z.int().optional(),
  user: z.string().optional(),
  tools: z.array(part).optional(),
  tool_choice: z.union([z.string(), z.looseObject({})]).optional(),
  response_format: z.looseObject({}).optional(),
  reasoning_effort: z.string().optional(),
});
export type ChatBody = z.infer<typeof chatBody>;

export const messagesBody = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  max_tokens: z.int().min(1),
  system: z.union([z.string(), z.array(part)]).optional(),
  stream: z.boolean().optional(),
  temperature: z.number().min(0).max(1).optional(),
  top_p: z.number().optional(),
  top_k: z.int().optional(),
  stop_sequences: z.array(z.string()).optional(),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  tool_choice: z.looseObject({}).optional(),
  thinking: z.looseObject({}).optional(),
  metadata: z.looseObject({}).optional(),
});
export type MessagesBody = z.infer<typeof messagesBody>;
