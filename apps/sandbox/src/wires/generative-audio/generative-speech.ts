import { createSpeech, SAMPLE_RATE, type Speech } from '../../media/audio/create-speech.ts';
import { plainRequest } from '../../text/text-request.ts';
import type { TextCall } from '../../text/serve-text.ts';
import { directiveNumber } from '../../directives/text-directives.ts';
import { names } from '../../schema/names.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { invalidArgument, unsupportedModalities } from '../google-style/google-error.ts';
import { generativeFailure, generativeFrames } from '../google-style/google-frames.ts';
import type { GenerativeRequest } from '../google-style/generative-request.ts';

const MIME_TYPE = `audio/L16;codec=pcm;rate=${SAMPLE_RATE}`;
/** "Audio tokens: 25 tokens per second" (ai.google.dev, page on speech). */
const TOKENS_A_SECOND = 25;
const MEGABYTE = 1024 ** 2;
/** Google's own models, which support either speech or text. Models with other names support both. */
const IS_GOOGLES = /^(models\/)?gemini-/;
const SPEAKS = /tts|native-audio/;

/** Voice names are case-insensitive (ai.google.dev, page on speech). */
const VOICES: ReadonlySet<string> = new Set([
  ...names('achernar achird algenib algieba alnilam aoede autonoe callirrhoe charon despina enceladus erinome fenrir'),
  ...names('gacrux iapetus kore laomedeia leda orus puck pulcherrima rasalgethi sadachbia sadaltager schedar sulafat'),
  ...names('umbriel vindemiatrix zephyr zubenelgenubi'),
]);

export interface SpeechHead {
  id: string;
  model: string;
  stream: boolean;
  /** Whether to send server-sent events instead of a JSON array. */
  asEvents: boolean;
}

export function requestsSpeech({ generationConfig }: GenerativeRequest, model: string): boolean {
  const modalities = generationConfig?.responseModalities ?? [];
  return modalities.includes('AUDIO') || (IS_GOOGLES.test(model) && SPEAKS.test(model));
}

function checkSpeech({ generationConfig = {}, tools = [], systemInstruction }: GenerativeRequest, model: string): void {
  const { responseModalities: modalities = ['TEXT'], candidateCount = 1, speechConfig = {} } = generationConfig;
  const name = `models/${model.replace(/^models\//, '')}`;
  if (modalities.join() !== 'AUDIO' || (IS_GOOGLES.test(model) && !SPEAKS.test(model))) {
    const supported = IS_GOOGLES.test(model) && !SPEAKS.test(model) ? 'TEXT' : 'AUDIO';
    throw unsupportedModalities(modalities, model, supported);
  }
  if (candidateCount > 1) throw invalidArgument(`Multiple candidates is not enabled for ${name}`);
  if (tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0)) {
    throw invalidArgument(`Function calling is not enabled for ${name}`);
  }
  if (systemInstruction !== undefined) throw invalidArgument(`Developer instruction is not enabled for ${name}`);
  const { voiceConfig, multiSpeakerVoiceConfig } = speechConfig;
  const speakers = multiSpeakerVoiceConfig?.speakerVoiceConfigs ?? [];
  if (multiSpeakerVoiceConfig !== undefined && voiceConfig !== undefined) {
    throw invalidArgument('Only one of voice_config and multi_speaker_voice_config may be set.');
  }
  if (multiSpeakerVoiceConfig !== undefined && speakers.length !== 2) {
    throw invalidArgument('The number of enabled_voices must equal 2.');
  }
  for (const voice of [voiceConfig, ...speakers.map((speaker) => speaker.voiceConfig)]) {
    const { voiceName } = voice?.prebuiltVoiceConfig ?? {};
    if (voiceName !== undefined && !VOICES.has(voiceName.toLowerCase())) {
      const allowed = [...VOICES].join(', ');
      throw invalidArgument(`Voice name ${voiceName} is not supported. Allowed voice names are: ${allowed}`);
    }
  }
}

function response(pcm: Buffer, speech: Speech, { id, model }: SpeechHead, isLast: boolean): object {
  const prompt = countTokens(speech.text);
  const tokens = Math.ceil((speech.samples / SAMPLE_RATE) * TOKENS_A_SECOND);
  const parts = [{ inlineData: { mimeType: MIME_TYPE, data: pcm.toString('base64') } }];
  const usage = {
    promptTokenCount: prompt,
    candidatesTokenCount: tokens,
    totalTokenCount: prompt + tokens,
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
    candidatesTokensDetails: [{ modality: 'AUDIO', tokenCount: tokens }],
  };
  return {
    candidates: [{ content: { parts, role: 'model' }, ...(isLast && { finishReason: 'STOP' }), index: 0 }],
    ...(isLast && { usageMetadata: usage }),
    modelVersion: model,
    responseId: id,
  };
}

function* responses(speech: Speech, head: SpeechHead): Generator<object> {
  let before: Buffer | undefined;
  for (const chunk of speech.chunks()) {
    if (before !== undefined) yield response(before, speech, head, false);
    before = chunk;
  }
  yield response(before ?? Buffer.alloc(0), speech, head, true);
}

export function generativeSpeech(request: GenerativeRequest, head: SpeechHead): TextCall {
  checkSpeech(request, head.model);
  const parts = request.contents?.at(-1)?.parts ?? [];
  const text = parts.flatMap((part) => part.text ?? []).join('\n');
  if (text.trim() === '') {
    throw invalidArgument('Model tried to generate text, but it should only be used for TTS.');
  }
  const speech = createSpeech(text, 1, (directiveNumber(text, 'long') ?? 0) * MEGABYTE);
  const { stream, asEvents } = head;
  return {
    request: plainRequest(head.model, text),
    stream,
    streamType: asEvents ? 'text/event-stream' : 'application/json; charset=UTF-8',
    body: () => response(Buffer.concat([...speech.chunks()]), speech, head, true),
    frames: () => generativeFrames(responses(speech, head), asEvents),
    failure: (sent) => generativeFailure(asEvents, sent),
  };
}
