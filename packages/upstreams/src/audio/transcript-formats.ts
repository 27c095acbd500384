import { GatewayError, TRANSCRIPT_FORMATS, type TranscriptFormat } from '@sluice/canonical';

const OF_SEGMENTS: ReadonlySet<TranscriptFormat> = new Set(['json', 'text', 'srt', 'vtt']);

/**
 * Formats that an OpenAI model writes, by its name (API reference, "Create transcription": `response_format`).
 * Undefined for unknown names: they get the requested format.
 */
export function formatsOf(model: string): readonly TranscriptFormat[] | undefined {
  if (/transcribe-diarize/.test(model)) return ['json', 'text', 'diarized_json'];
  if (/gpt-.*transcribe/.test(model)) return ['json', 'text'];
  if (/whisper/.test(model)) return ['json', 'text', 'srt', 'verbose_json', 'vtt'];
  return undefined;
}

/**
 * Chooses the format to request upstream: the requested one, else one it can be converted from.
 * @param formats formats the model writes; undefined: any
 * @throws GatewayError `unsupported_parameter` when no format fits
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
    `This model does not support the response format \`${requested}\`. Use ${others.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`,
    { param: 'response_format' },
  );
}

function sourceOf(requested: TranscriptFormat, formats: readonly TranscriptFormat[]): TranscriptFormat | undefined {
  if (formats.includes(requested)) return requested;
  if (requested === 'text' && formats.includes('json')) return 'json';
  return OF_SEGMENTS.has(requested) && formats.includes('verbose_json') ? 'verbose_json' : undefined;
}
