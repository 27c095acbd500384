import { z } from 'zod';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { tagged } from '../../schema/tagged.ts';

const id = z.string().min(1).optional();
const loose = z.record(z.string(), z.unknown());
const modalities = z.array(z.enum(['text', 'audio'])).min(1);
const tools = {
  tools: z.array(loose).optional(),
  tool_choice: z.union([z.enum(['auto', 'none', 'required']), loose]).optional(),
};
const tracing = z.union([z.literal('auto'), loose]).nullish();
const tokens = z.union([z.int().min(1), z.literal('inf')]).optional();
const pcm = tagged('audio/pcm', { rate: z.literal(24_000).optional() });
const voice = z.union([z.string().min(1), z.strictObject({ id: z.string() })]);
const output = z.strictObject({
  format: pcm.optional(),
  voice: voice.optional(),
  speed: z.number().min(0.25).max(1.5).optional(),
});
const input = z.strictObject({
  format: pcm.optional(),
  noise_reduction: loose.nullish(),
  transcription: loose.nullish(),
  turn_detection: loose.nullish(),
});

/** A session of the GA API. Fields that the sandbox does not use are not fully checked. */
const Session = tagged('realtime', {
  model: z.string().optional(),
  instructions: z.string().optional(),
  output_modalities: modalities.max(1).optional(),
  audio: z.strictObject({ input: input.optional(), output: output.optional() }).optional(),
  ...tools,
  parallel_tool_calls: z.boolean().optional(),
  max_output_tokens: tokens,
  include: z.array(z.literal('item.input_audio_transcription.logprobs')).nullish(),
  prompt: loose.nullish(),
  reasoning: loose.optional(),
  tracing,
  truncation: z.union([z.enum(['auto', 'disabled']), loose]).optional(),
});

const TranscriptionSession = tagged('transcription', {
  audio: z.strictObject({ input: input.optional() }).optional(),
  include: z.array(z.literal('item.input_audio_transcription.logprobs')).nullish(),
});

const BetaTranscriptionSession = z.strictObject({
  modalities: modalities.optional(),
  input_audio_format: z.literal('pcm16').optional(),
  input_audio_noise_reduction: loose.nullish(),
  input_audio_transcription: loose.nullish(),
  turn_detection: loose.nullish(),
  include: z.array(z.string()).nullish(),
});

const BetaSession = z.strictObject({
  model: z.string().optional(),
  instructions: z.string().optional(),
  modalities: modalities.optional(),
  voice: z.string().optional(),
  speed: z.number().min(0.25).max(1.5).optional(),
  input_audio_format: z.literal('pcm16').optional(),
  output_audio_format: z.literal('pcm16').optional(),
  input_audio_noise_reduction: loose.nullish(),
  input_audio_transcription: loose.nullish(),
  turn_detection: loose.nullish(),
  ...tools,
  temperature: z.number().min(0.6).max(1.2).optional(),
  max_response_output_tokens: tokens,
  tracing,
});

const base64 = z.base64();
const inputText = tagged('input_text', { text: z.string() });
const inputAudio = tagged('input_audio', { audio: base64, transcript: z.string().nullish() });
const inputImage = tagged('input_image', {
  image_url: z.string().startsWith('data:image/'),
  detail: z.enum(['auto', 'low', 'high']).optional(),
});
const outputText = z.strictObject({ type: z.enum(['output_text', 'text']), text: z.string() });
const outputAudio = z.strictObject({
  type: z.enum(['output_audio', 'audio']),
  audio: base64.optional(),
  transcript: z.string().optional(),
});
const head = {
  id,
  object: z.literal('realtime.item').optional(),
  status: z.enum(['completed', 'incomplete', 'in_progress']).optional(),
};
const message = { ...head, type: z.literal('message') };
const Item = z.discriminatedUnion('type', [
  z.discriminatedUnion('role', [
    z.strictObject({
      ...message,
      role: z.literal('user'),
      content: z.array(z.discriminatedUnion('type', [inputText, inputAudio, inputImage])),
    }),
    z.strictObject({ ...message, role: z.literal('system'), content: z.array(inputText) }),
    z.strictObject({
      ...message,
      role: z.literal('assistant'),
      content: z.array(z.discriminatedUnion('type', [outputText, outputAudio])),
    }),
  ]),
  z.strictObject({
    ...head,
    type: z.literal('function_call'),
    call_id: z.string().optional(),
    name: z.string().min(1),
    arguments: z.string(),
  }),
  z.strictObject({ ...head, type: z.literal('function_call_output'), call_id: z.string().min(1), output: z.string() }),
]);

export type RealtimeItem = z.infer<typeof Item>;

const responseFields = {
  conversation: z.enum(['auto', 'none']).optional(),
  input: z.array(Item).optional(),
  instructions: z.string().optional(),
  metadata: z.record(z.string(), z.string()).nullish(),
  ...tools,
};
const Params = z.strictObject({
  ...responseFields,
  audio: z.strictObject({ output: output.optional() }).optional(),
  max_output_tokens: tokens,
  output_modalities: modalities.max(1).optional(),
  parallel_tool_calls: z.boolean().optional(),
  prompt: loose.nullish(),
  reasoning: loose.optional(),
});
const BetaParams = z.strictObject({
  ...responseFields,
  modalities: modalities.optional(),
  voice: z.string().optional(),
  output_audio_format: z.literal('pcm16').optional(),
  temperature: z.number().min(0.6).max(1.2).optional(),
  max_response_output_tokens: tokens,
});

export type ResponseParams = Partial<z.infer<typeof Params>> & Partial<z.infer<typeof BetaParams>>;

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) {
  return z.strictObject({ event_id: z.string().max(512).optional(), type: z.literal(type), ...shape });
}

const item_id = z.string();
const COMMON = [
  event('conversation.item.create', { previous_item_id: z.string().nullish(), item: Item }),
  event('conversation.item.retrieve', { item_id }),
  event('conversation.item.delete', { item_id }),
  event('conversation.item.truncate', { item_id, content_index: z.int().min(0), audio_end_ms: z.int().min(0) }),
  event('input_audio_buffer.append', { audio: base64 }),
  event('input_audio_buffer.commit', {}),
  event('input_audio_buffer.clear', {}),
  event('response.cancel', { response_id: z.string().optional() }),
] as const;
const Event = z.discriminatedUnion('type', [
  event('session.update', { session: z.discriminatedUnion('type', [Session, TranscriptionSession]) }),
  event('response.create', { response: Params.optional() }),
  ...COMMON,
]);
const BetaEvent = z.discriminatedUnion('type', [
  event('session.update', { session: BetaSession }),
  event('transcription_session.update', { session: BetaTranscriptionSession }),
  event('response.create', { response: BetaParams.optional() }),
  ...COMMON,
]);

export type ClientEvent = z.infer<typeof Event> | z.infer<typeof BetaEvent>;

/**
 * Checks an event against the realtime types of openai 7.55.0.
 * @throws WireError in OpenAI's format.
 */
export function readClientEvent(frame: unknown, beta: boolean): ClientEvent {
  const read = (beta ? BetaEvent : Event).safeParse(frame);
  if (!read.success) throw explainIssue(read.error, frame);
  return read.data;
}
