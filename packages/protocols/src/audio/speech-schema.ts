import { SPEECH_FORMATS } from '@sluice/canonical';
import { z } from 'zod';
import { mustBeOneOf, requiredOr } from '../json/plain-text.ts';

/** OpenAI's limit, in characters. */
const MAX_CHARACTERS = 4_096;

const NonEmptyText = z.string(requiredOr('must be a string')).min(1, 'must not be empty');

/** Counts Unicode characters instead of UTF-16 code units, so that an emoji counts once. */
function isShort(text: string): boolean {
  if (text.length <= MAX_CHARACTERS) return true;
  return text.length <= 2 * MAX_CHARACTERS && Array.from(text).length <= MAX_CHARACTERS;
}
const TOO_LONG = `must be at most ${MAX_CHARACTERS} characters`;

/** Request body for speech (openai-node 7.55, `resources/audio/speech`). */
export const SpeechSchema = z
  .looseObject(
    {
      model: NonEmptyText,
      input: NonEmptyText.refine(isShort, TOO_LONG).meta({
        description: 'The text to speak, at most 4096 characters.',
      }),
      voice: z.union(
        [NonEmptyText, z.object({ id: NonEmptyText })],
        requiredOr('must be the name of a voice, or an object with the id of one'),
      ),
      instructions: z.string('must be a string').refine(isShort, TOO_LONG).nullish(),
      response_format: z
        .enum(SPEECH_FORMATS, mustBeOneOf(SPEECH_FORMATS))
        .nullish()
        .meta({ description: 'Absent: mp3.' }),
      speed: z
        .number('must be a number from 0.25 to 4')
        .min(0.25, 'must be at least 0.25')
        .max(4, 'must be at most 4')
        .nullish()
        .meta({ description: 'Absent: 1.' }),
      stream_format: z
        .enum(['audio', 'sse'], 'must be audio or sse')
        .nullish()
        .meta({ description: 'Default: `audio`, the raw bytes.' }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateSpeech' });
