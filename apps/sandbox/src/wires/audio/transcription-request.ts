import { z } from 'zod';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter } from '../openai-style/openai-error.ts';
import { tagged } from '../../schema/tagged.ts';

type TranscriptFormat = 'json' | 'text' | 'srt' | 'verbose_json' | 'vtt' | 'diarized_json';

export type SpeechTask = 'transcribe' | 'translate';

const FORMATS = ['json', 'text', 'srt', 'verbose_json', 'vtt'] as const;
const translation = {
  model: z.string().min(1),
  prompt: z.string().optional(),
  response_format: z.enum(FORMATS).optional(),
  temperature: z.number().min(0).max(1).optional(),
};
const Translation = z.strictObject(translation);
const Chunking = tagged('server_vad', {
  prefix_padding_ms: z.int().min(0).optional(),
  silence_duration_ms: z.int().min(0).optional(),
  threshold: z.number().min(0).max(1).optional(),
});
const Transcription = z.strictObject({
  ...translation,
  response_format: z.enum([...FORMATS, 'diarized_json']).optional(),
  language: z.string().optional(),
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
  include: z.array(z.enum(['logprobs'])).optional(),
  stream: z.boolean().optional(),
  chunking_strategy: z.union([z.literal('auto'), Chunking]).optional(),
  known_speaker_names: z.array(z.string()).max(4).optional(),
  known_speaker_references: z.array(z.string().startsWith('data:')).max(4).optional(),
  keywords: z.array(z.string()).optional(),
  languages: z.array(z.string()).optional(),
});
type Fields = z.infer<typeof Transcription>;

/** Searches the model name for known parts, because the sandbox accepts any name. */
function formatsOf(model: string): readonly TranscriptFormat[] {
  if (model.includes('diarize')) return ['json', 'text', 'diarized_json'];
  if (model.includes('transcribe')) return ['json', 'text'];
  // Simulates vendors that support no other formats.
  if (model.includes('verbose')) return ['json', 'verbose_json'];
  return FORMATS;
}

function unsupported(param: string, model: string): Error {
  const message = `The parameter '${param}' is not supported with the model '${model}'.`;
  return invalidParameter(param, message, 'unsupported_value');
}

/** Rejects parameters that the model does not support (openai 7.55.0, documentation of each parameter). */
function checkModel(fields: Fields, format: TranscriptFormat): void {
  const { model } = fields;
  const formats = formatsOf(model);
  if (!formats.includes(format)) {
    const others = formats.map((name) => `'${name}'`).join(' or ');
    const message = `response_format '${format}' is not compatible with model '${model}'. Use ${others} instead.`;
    throw invalidParameter('response_format', message, 'unsupported_value');
  }
  const diarizes = model.includes('diarize');
  const isGptTranscribe = model.includes('gpt-transcribe');
  const refused: Partial<Record<keyof Fields, boolean>> = {
    prompt: diarizes,
    include: diarizes || !model.includes('transcribe'),
    known_speaker_names: !diarizes,
    known_speaker_references: !diarizes,
    keywords: !isGptTranscribe,
    languages: !isGptTranscribe,
  };
  const wrong = Object.entries(fields).find(([name, value]) => value !== undefined && Object(refused)[name] === true);
  if (wrong !== undefined) throw unsupported(wrong[0], model);
  if (fields.timestamp_granularities !== undefined && format !== 'verbose_json') {
    const param = 'timestamp_granularities';
    throw invalidParameter(param, "Timestamp granularities are only supported with response_format 'verbose_json'.");
  }
  if (fields.known_speaker_names?.length !== fields.known_speaker_references?.length) {
    const message = "'known_speaker_names' and 'known_speaker_references' must have the same length.";
    throw invalidParameter('known_speaker_references', message, 'invalid_value');
  }
}

export function readTranscriptionRequest(form: Record<string, unknown>, task: SpeechTask) {
  const read = (task === 'translate' ? Translation : Transcription).safeParse(form);
  if (!read.success) throw explainIssue(read.error, form);
  const fields: Fields = read.data;
  const { model, response_format: format = 'json', language = 'en', timestamp_granularities: times } = fields;
  const byTokens = model.includes('transcribe');
  if (task === 'translate' && byTokens) {
    throw invalidParameter('model', `The model '${model}' does not support translation.`, 'invalid_value');
  }
  if (!/^[a-z]{2,3}$/.test(language)) {
    const message = `Invalid language '${language}'. Language parameter must be specified in ISO-639-1 format.`;
    throw invalidParameter('language', message, 'invalid_language_format');
  }
  checkModel(fields, format);
  return {
    task,
    model,
    prompt: fields.prompt ?? '',
    format,
    temperature: fields.temperature ?? 0,
    language,
    words: times?.includes('word') ?? false,
    segments: times?.includes('segment') ?? true,
    logprobs: fields.include?.includes('logprobs') ?? false,
    speakers: fields.known_speaker_names ?? [],
    // openai 7.55.0: "Streaming is not supported for the `whisper-1` model and will be ignored."
    stream: fields.stream === true && byTokens,
    /** Billed by tokens if true, by seconds if false. */
    byTokens,
  };
}

export type TranscriptionParams = ReturnType<typeof readTranscriptionRequest>;
