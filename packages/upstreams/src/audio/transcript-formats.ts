import { GatewayError, TRANSCRIPT_FORMATS, type TranscriptFormat } from '@sluice/canonical';

/** What can be made here of the segments of `verbose_json`. */
const OF_SEGMENTS: ReadonlySet<TranscriptFormat> = new Set(['json', 'text', 'srt', 'vtt']);

/**
 * The formats that a model of OpenAI's writes, by its name (API reference, "Create transcription": `response_format`). A
 * name that is not known is asked for what was wished.
 */
export function formatsOf(model: string): readonly TranscriptFormat[] | undefined {
  if (/transcribe-diarize/.test(model)) return ['json', 'text', 'diarized_json'];
  if (/gpt-.*transcribe/.test(model)) return ['json', 'text'];
  if (/whisper/.test(model)) return ['json', 'text', 'srt', 'verbose_json', 'vtt'];
  return undefined;
}

/**
 * Chooses what an upstream is asked for: what was wished, else what that can be made of.
 * @param formats what it writes; undefined: anything
 * @throws GatewayError `unsupported_parameter` when it cannot be made of any of them
 */
export function formatToRequest(
  wished: TranscriptFormat,
  formats: readonly TranscriptFormat[] | undefined,
): TranscriptFormat {
  const asked = formats === undefined ? wished : sourceOf(wished, formats);
  if (asked !== undefined) return asked;
  const others = TRANSCRIPT_FORMATS.filter((one) => sourceOf(one, formats ?? []) !== undefined);
  throw new GatewayError(
    'unsupported_parameter',
    `This model does not write ${wished}. Ask for ${others.join(', ').replace(/, (?=[^,]*$)/, ' or ')}.`,
    { param: 'response_format' },
  );
}

/** What a format is made of that is not written as such; undefined: nothing. */
function sourceOf(wished: TranscriptFormat, formats: readonly TranscriptFormat[]): TranscriptFormat | undefined {
  if (formats.includes(wished)) return wished;
  if (wished === 'text' && formats.includes('json')) return 'json';
  return OF_SEGMENTS.has(wished) && formats.includes('verbose_json') ? 'verbose_json' : undefined;
}
