import { readSamples } from '../../media/audio/read-samples.ts';
import { inspectAudio } from '../../media/audio/audio-reader.ts';
import { transcriptOf } from '../audio/transcript.ts';
import type { GenerativeContent, GenerativePart } from '../google-style/generative-request.ts';

const REQUESTS_TRANSCRIPT = /transcri|translat/i;
const SAMPLES = /^audio\/(l16|pcm)\b/i;

function observe({ mimeType = '', data = '' }: NonNullable<GenerativePart['inlineData']>): string {
  const bytes = Buffer.from(data, 'base64');
  if (SAMPLES.test(mimeType)) return readSamples(bytes).text;
  return transcriptOf(inspectAudio(bytes) ?? { mediaType: mimeType, bytes: bytes.length }).text;
}

/** Returns a transcript of the last content's audio, if its text requests a transcript or a translation. */
export function transcriptIn(contents: readonly GenerativeContent[]): string | undefined {
  const { role, parts = [] } = contents.at(-1) ?? {};
  const sounds = parts.flatMap(({ inlineData }) => (inlineData?.mimeType?.startsWith('audio/') ? [inlineData] : []));
  if (role === 'model' || sounds.length === 0 || !parts.some(({ text }) => REQUESTS_TRANSCRIPT.test(text ?? '')))
    return undefined;
  return sounds.map(observe).join('\n');
}
