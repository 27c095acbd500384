import { z } from 'zod';
import { Flag, Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** The answer to a submission. */
export const WireQueued = lenient({ request_id: Id });

/** The answer to a question for the status. */
export const WireStatus = lenient({ status: Text, error: Text, error_type: Text });

/** `detail` is a list of what is wrong with the input, which each entry repeats, or a sentence, with a machine's word beside it. */
export const WireRefusal = lenient({
  detail: z
    .union([z.string(), z.array(z.object({ msg: Text, type: Text, loc: z.array(z.unknown()).optional().catch([]) }))])
    .optional()
    .catch(undefined),
  error_type: Text,
});
/** A refusal, unsanitised. */
export type FalRefusal = z.output<typeof WireRefusal>;

/** A URL, or nothing: what a file may stand in place of, such as a data URL, cannot be fetched. */
const FileUrl = Text.transform((url) => (url !== undefined && /^https?:\/\//i.test(url) ? url : undefined));
/** A file, or its URL alone. */
const File = z.union([z.string().transform((url) => ({ url: FileUrl.parse(url) })), z.looseObject({ url: FileUrl })]);
/** A file, or a list of them. */
const Files = z
  .union([File.transform((file) => [file]), list(File.optional().catch(undefined))])
  .optional()
  .catch(undefined);

/** What models have made, under the names that they use for it. */
export const WireResult = lenient({
  video: Files,
  videos: Files,
  image: Files,
  images: Files,
  output: Files,
  outputs: Files,
  has_nsfw_concepts: list(Flag),
  seed: Numeric,
});
/** A result. */
export type FalResult = z.output<typeof WireResult>;
