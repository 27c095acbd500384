import { GatewayError, TRANSCRIPT_FORMATS, type TranscriptFormat, orList } from '@sluice/canonical';

const OF_SEGMENTS: ReadonlySet<TranscriptFormat> = new Set(['json', 'text', 'srt', 'vtt']);

/**
 * Returns the formats that an OpenAI model supports, based on its name (API reference, "Create transcription":
 * `response_format`). Returns undefined for unknown models; the requested format is then used.
 */
export function formatsOf(model: string): readonly TranscriptFormat[] | undefined {
  if (/transcribe-diarize/.test(model)) return ['json', 'text', 'diarized_json'];
  if (/gpt-.*transcribe/.test(model)) return ['json', 'text'];
  if (/whisper/.test(model)) return ['json', 'text', 'srt', 'verbose_json', 'vtt'];
  return undefined;
}

/**
 * Chooses the format to request from the upstream: the client's format, or a format that can be converted to it.
 * @param formats formats that the model supports; undefined if unknown
 * @throws GatewayError `unsupported_parameter` if no format fits
 */
export function formatToRequest(
  requested: TranscriptFormat,
  formats: readonly TranscriptFormat[] | undefined,
): TranscriptFormat {
  const upstreamFormat = formats === undefined ? requested : sourceOf(requested, formats);
  if (upstreamFormat !== undefined) return upstreamFormat;
  const others = TRANSCRIPT_FORMATS.filter((one) => sourceOf(one, formats ?? []) !== undefined);
  throw new GatewayError(
    'unsupported_parameter',
    `This model does not support the response format \`${requested}\`. Use ${orList(others)}.`,
    { param: 'response_format' },
  );
}

function sourceOf(requested: TranscriptFormat, formats: readonly TranscriptFormat[]): TranscriptFormat | undefined {
  if (formats.includes(requested)) return requested;
  if (requested === 'text' && formats.includes('json')) return 'json';
  return OF_SEGMENTS.has(requested) && formats.includes('verbose_json') ? 'verbose_json' : undefined;
}
