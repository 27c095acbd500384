import { TRANSCRIPT_FORMATS } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf, requiredOr } from '../json/plain-text.ts';

const NonEmptyText = z.string(requiredOr('must be a string')).min(1, 'must not be empty');

const MAX_GRANULARITIES = 16;
const ZERO_TO_ONE = 'must be a number from 0 to 1';

const common = {
  model: NonEmptyText,
  prompt: z.string('must be a string').optional(),
  response_format: z
    .enum(TRANSCRIPT_FORMATS, mustBeOneOf(TRANSCRIPT_FORMATS))
    .optional()
    .meta({ description: 'Absent: json.' }),
  temperature: z
    .union([z.number(), z.string().regex(/^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i, ZERO_TO_ONE)], ZERO_TO_ONE)
    .transform(Number)
    .refine((value) => value >= 0 && value <= 1, ZERO_TO_ONE)
    .optional(),
};

/** Transcription fields other than the file (openai-node 7.55, `resources/audio/transcriptions`). */
export const TranscriptionSchema = z.object({
  ...common,
  language: z
    .string('must be a string')
    .regex(/^[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/, 'must be a language code (e.g. en)')
    .optional()
    .meta({ description: 'ISO 639-1.' }),
  timestamp_granularities: z
    .array(z.enum(['word', 'segment'], 'must be word or segment'))
    .max(MAX_GRANULARITIES, `must have at most ${MAX_GRANULARITIES} items`)
    .optional()
    .meta({ description: 'Also accepted as `timestamp_granularities[]`.' }),
  stream: z
    .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'must be true or false')
    .optional(),
});

const TranslationSchema = z.object(common);

const File = z.string().meta({ format: 'binary', description: 'The audio file.' });

export const TranscriptionFormSchema = TranscriptionSchema.extend({ file: File }).meta({ id: 'CreateTranscription' });
export const TranslationFormSchema = TranslationSchema.extend({ file: File }).meta({ id: 'CreateTranslation' });

/** The JSON response; verbose formats have more fields. */
export const TranscriptSchema = z.looseObject({ text: z.string() }).meta({ id: 'Transcript' });
