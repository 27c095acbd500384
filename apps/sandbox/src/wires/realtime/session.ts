import { isObject } from '../../schema/json.ts';
import { countTokens } from '../../text/word-tokens.ts';

export interface SessionObject {
  id: string;
  instructions?: string;
  [field: string]: unknown;
}

const INSTRUCTIONS = 'You are a simulated model. You echo the text of the user turn.';

export function newSession(id: string, model: string, expiresAt: number, beta: boolean): SessionObject {
  const pcm = { type: 'audio/pcm', rate: 24_000 };
  const head = { id, object: 'realtime.session', model, expires_at: expiresAt, instructions: INSTRUCTIONS };
  const tools = { tools: [], tool_choice: 'auto', tracing: null };
  if (beta) {
    return {
      ...head,
      modalities: ['audio', 'text'],
      voice: 'alloy',
      speed: 1,
      input_audio_format: 'pcm16',
      output_audio_format: 'pcm16',
      input_audio_noise_reduction: null,
      input_audio_transcription: null,
      turn_detection: null,
      ...tools,
      temperature: 0.8,
      max_response_output_tokens: 'inf',
    };
  }
  return {
    type: 'realtime',
    ...head,
    output_modalities: ['audio'],
    ...tools,
    max_output_tokens: 'inf',
    truncation: 'auto',
    prompt: null,
    include: null,
    audio: {
      input: { format: pcm, transcription: null, noise_reduction: null, turn_detection: null },
      output: { format: pcm, voice: 'alloy', speed: 1 },
    },
  };
}

/** Creates a transcription session. The client sets its model later. */
export function newTranscription(id: string, expiresAt: number, beta: boolean): SessionObject {
  const head = { id, object: 'realtime.transcription_session', expires_at: expiresAt };
  if (beta) {
    const input = { input_audio_format: 'pcm16', input_audio_transcription: null, input_audio_noise_reduction: null };
    return { ...head, ...input, turn_detection: null, include: null };
  }
  const format = { type: 'audio/pcm', rate: 24_000 };
  const input = { format, transcription: null, noise_reduction: null, turn_detection: null };
  return { type: 'transcription', ...head, include: null, audio: { input } };
}

/** Omitted fields keep their values, including fields inside `audio`. */
export function updateSession(session: SessionObject, update: object): SessionObject {
  const { audio: audioUpdate, ...rest } = { audio: undefined, ...update };
  const { audio: before } = session;
  if (!isObject(audioUpdate) || !isObject(before)) return { ...session, ...rest };
  const audio = Object.fromEntries(
    Object.entries(before).map(([side, value]) => [side, { ...Object(value), ...Object(audioUpdate[side]) }]),
  );
  return { ...session, ...rest, audio };
}

export function traitsOf(session: SessionObject) {
  const modalities = session['output_modalities'] ?? session['modalities'];
  const input: unknown = isObject(session['audio']) ? session['audio']['input'] : undefined;
  const transcription = session['input_audio_transcription'] ?? (isObject(input) ? input['transcription'] : undefined);
  return {
    instructions: session.instructions ?? '',
    modality: Array.isArray(modalities) && modalities.includes('audio') ? ('audio' as const) : ('text' as const),
    /** Whether to transcribe input audio. */
    transcribes: isObject(transcription),
  };
}

const TOKENS_A_SECOND = { recorded: 10, spoken: 20 };

export function realtimeUsage(of: {
  inputText: string;
  recordedSeconds: number;
  output: string;
  spokenSeconds: number;
}) {
  const recorded = Math.ceil(of.recordedSeconds * TOKENS_A_SECOND.recorded);
  const spoken = Math.ceil(of.spokenSeconds * TOKENS_A_SECOND.spoken);
  const input = countTokens(of.inputText) + recorded;
  const output = countTokens(of.output) + spoken;
  const none = { text_tokens: 0, audio_tokens: 0, image_tokens: 0 };
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: {
      text_tokens: input - recorded,
      audio_tokens: recorded,
      image_tokens: 0,
      cached_tokens: 0,
      cached_tokens_details: none,
    },
    output_token_details: { text_tokens: output - spoken, audio_tokens: spoken },
  };
}
