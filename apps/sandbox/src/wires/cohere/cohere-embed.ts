import { z } from 'zod';
import { base64OfFloats, embedText, unitVector } from '../../text/embed-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { checkCohereBody, invalidRequest } from './cohere-error.ts';

/** "Maximum number of texts per call is 96" (cohere-ai 8.1.0). */
const MAX_TEXTS = 96;
/** "Possible values are 256, 512, 1024, and 1536. The default is 1536" (cohere-ai 8.1.0). */
const DIMENSIONS = [256, 512, 1024, 1536];
/** Fixed number of dimensions of models before version 4. */
const OLD_DIMENSIONS = 1024;

/** Quantizes a unit vector to integers from -127 to 127. The scale compensates for small components. */
function integers(vector: readonly number[]): number[] {
  const scale = Math.sqrt(vector.length) * 40;
  return vector.map((number) => Math.max(-127, Math.min(127, Math.round(number * scale))));
}

/** Encodes one bit per number, which is 1 if the number is positive. The most significant bit is first. */
function packedBits(vector: readonly number[]): number[] {
  const bytes = Array.from({ length: vector.length / 8 }, () => 0);
  for (const [at, number] of vector.entries()) {
    if (number > 0) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (0x80 >> (at & 7));
  }
  return bytes;
}

const ENCODERS = {
  float: (vector: readonly number[]) => vector,
  int8: integers,
  uint8: (vector: readonly number[]) => integers(vector).map((number) => number + 128),
  binary: (vector: readonly number[]) => packedBits(vector).map((byte) => byte - 128),
  ubinary: packedBits,
  base64: base64OfFloats,
};

const Request = z.strictObject({
  model: z.string().min(1),
  // The sandbox does not simulate image models.
  texts: z.array(z.string()).optional(),
  // Checked separately, because the vendor returns the same message for all errors of this field.
  input_type: z.unknown().optional(),
  embedding_types: z.array(z.enum(['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'])).optional(),
  output_dimension: z.int().optional(),
  max_tokens: z.int().min(1).optional(),
  truncate: z.enum(['NONE', 'START', 'END']).optional(),
  priority: z.int().min(0).max(999).optional(),
});
const InputType = z.enum(['search_document', 'search_query', 'classification', 'clustering']);

function readDimensions(model: string, requested: number | undefined): number {
  const isOld = /v[123]|fixed/.test(model);
  if (requested === undefined) return isOld ? OLD_DIMENSIONS : Math.max(...DIMENSIONS);
  if (isOld) throw invalidRequest(`output_dimension is not supported for model '${model}'`);
  if (DIMENSIONS.includes(requested)) return requested;
  throw invalidRequest(`output_dimension must be one of ${DIMENSIONS.join(', ')} - received ${requested}`);
}

export function readEmbed(body: unknown) {
  const { model, texts = [], ...read } = checkCohereBody(Request, body);
  if (!InputType.safeParse(read.input_type).success) {
    throw invalidRequest('valid input_type must be provided with the provided model');
  }
  if (texts.length === 0) throw invalidRequest('at least one text must be provided');
  if (texts.length > MAX_TEXTS) {
    throw invalidRequest(`total number of texts must be at most ${MAX_TEXTS} - received ${texts.length}.`);
  }
  const empty = texts.findIndex((text) => text.trim() === '');
  if (empty !== -1) throw invalidRequest(`text at index ${empty} must be at least 1 token long.`);
  const types = read.embedding_types ?? [];
  return {
    texts,
    types: types.length === 0 ? (['float'] as const) : types,
    dimensions: readDimensions(model, read.output_dimension),
  };
}

export function embedResponse(
  { texts, types, dimensions }: ReturnType<typeof readEmbed>,
  { newId }: Pick<TextVendor, 'newId'>,
) {
  const vectors = texts.map((text) => unitVector(embedText(text, dimensions)));
  const embeddings = Object.fromEntries(types.map((type) => [type, vectors.map((vector) => ENCODERS[type](vector))]));
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  const meta = { api_version: { version: '2' }, billed_units: { input_tokens: tokens } };
  return { id: newId(), embeddings, texts, meta, response_type: 'embeddings_by_type' };
}
