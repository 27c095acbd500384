import { z } from 'zod';
import { Flag, Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

export const WireQueued = lenient({ request_id: Id });

export const WireStatus = lenient({ status: Text, error: Text, error_type: Text });

/** `detail` is a list of input errors that repeat the input, or a sentence accompanied by a machine-readable type. */
export const WireRefusal = lenient({
  detail: z
    .union([z.string(), z.array(z.object({ msg: Text, type: Text, loc: z.array(z.unknown()).optional().catch([]) }))])
    .optional()
    .catch(undefined),
  error_type: Text,
});
export type FalRefusal = z.output<typeof WireRefusal>;

/** Treats a data URL as absent, because it cannot be fetched. */
const FileUrl = Text.transform((url) => (url !== undefined && /^https?:\/\//i.test(url) ? url : undefined));
const File = z.union([z.string().transform((url) => ({ url: FileUrl.parse(url) })), z.looseObject({ url: FileUrl })]);
const Files = z
  .union([File.transform((file) => [file]), list(File.optional().catch(undefined))])
  .optional()
  .catch(undefined);

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
export type FalResult = z.output<typeof WireResult>;
