import { GatewayError, fieldsForUpstream, type Speech, SPEECH_TYPES, type SpeechParams } from '@sluice/canonical';
import { pcmRate, wavHeader } from '../audio/pcm.ts';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { fullBody } from '../http/first-chunk.ts';
import { googleRefusal } from './google-refusal.ts';
import { modelPath } from './model-path.ts';
import { generatedParts, generatedUsage } from './read-generated.ts';
import { geminiVoice } from './voices.ts';

const RATE = 24_000;

/** Speech from Gemini models. They return all raw samples in one response (Gemini API docs, "Speech generation"). */
export const geminiSpeech: DirectWire<SpeechParams, Speech> = {
  request: ({ input, voice, instructions, format, speed, foreign }, { model, report }) => {
    if (format !== 'wav' && format !== 'pcm') {
      throw new GatewayError(
        'unsupported_parameter',
        'The upstream of this model returns raw samples. Set `response_format` to `wav` or `pcm`.',
        { param: 'response_format' },
      );
    }
    if (typeof voice !== 'string') {
      throw new GatewayError('unsupported_parameter', 'The upstream of this model does not support custom voices.', {
        param: 'voice',
      });
    }
    const like = geminiVoice(voice);
    if (like !== undefined) report({ field: 'voice', how: 'replaced' });
    if (instructions !== undefined) report({ field: 'instructions', how: 'replaced' });
    if (speed !== undefined && speed !== 1) report({ field: 'speed', how: 'dropped' });
    fieldsForUpstream(foreign, 'generative-content', report);
    const text = instructions === undefined ? input : `${instructions.trim().replace(/[.:]$/, '')}:\n${input}`;
    return {
      path: `${modelPath(model)}:generateContent`,
      json: {
        contents: [{ role: 'user', parts: [{ text }] }],
        generationConfig: {
          responseModalities: ['AUDIO'],
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: like ?? voice } } },
        },
      },
    };
  },
  read: (body, { format }) => {
    const parts = generatedParts(body) ?? [];
    const audioParts = parts.map((part) => part.inlineData ?? part.inline_data).filter((bytes) => bytes !== undefined);
    const [first] = audioParts;
    const rate = pcmRate(first?.mimeType ?? first?.mime_type ?? '');
    const samples = Buffer.concat(audioParts.map(({ data }) => Buffer.from(data ?? '', 'base64')));
    if (rate === undefined || samples.byteLength === 0) return undefined;
    const usage = generatedUsage(body);
    const cost = usage && { usage };
    if (format === 'wav') {
      const file = Buffer.concat([wavHeader(samples.byteLength, rate), samples]);
      return { kind: 'audio', mediaType: SPEECH_TYPES.wav, body: fullBody(file), ...cost };
    }
    const mediaType = rate === RATE ? SPEECH_TYPES.pcm : `${SPEECH_TYPES.pcm};rate=${rate}`;
    return { kind: 'audio', mediaType, body: fullBody(samples), ...cost };
  },
  refusal: googleRefusal,
};
