import { z } from 'zod';
import { base64OfFloats, embedText, unitVector } from '../../text/embed-text.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { checkBody } from '../../schema/check-body.ts';
import { names } from '../../schema/names.ts';
import { jinaInvalid } from './jina-error.ts';

const WIDTH = 1024;
const MAX_INPUTS = 512;

const TASKS = names(
  'retrieval.query retrieval.passage separation classification text-matching code.query code.passage',
);

/** The sandbox does not simulate image models. */
const Item = z.union([z.string(), z.strictObject({ text: z.string() })]);
const Request = z.strictObject({
  model: z.string().min(1),
  input: z.union([
    z.string(),
    z
      .array(Item)
      .min(1, 'Each input list must contain at least 1 item')
      .max(MAX_INPUTS, `Each input list can contain at most ${MAX_INPUTS} items`),
  ]),
  task: z.enum(TASKS).optional(),
  dimensions: z.int().min(1).max(WIDTH).optional(),
  normalized: z.boolean().optional(),
  embedding_type: z.enum(['float', 'base64']).optional(),
  late_chunking: z.boolean().optional(),
  truncate: z.boolean().optional(),
});

export function readEmbeddings(body: unknown) {
  const read = checkBody(Request, body ?? {}, jinaInvalid);
  const { model, dimensions = WIDTH, normalized = true } = read;
  const items = typeof read.input === 'string' ? [read.input] : read.input;
  const texts = items.map((item) => (typeof item === 'string' ? item : item.text));
  const empty = texts.findIndex((text) => text === '');
  if (empty !== -1) throw jinaInvalid({ kind: 'invalid', field: `input[${empty}]`, message: 'Input cannot be empty' });
  return { model, texts, dimensions, normalized, base64: read.embedding_type === 'base64' };
}

export function embeddingsResponse(params: ReturnType<typeof readEmbeddings>) {
  const { model, texts, dimensions, normalized, base64 } = params;
  const data = texts.map((text, index) => {
    const vector = embedText(text, dimensions);
    const numbers = normalized ? unitVector(vector) : vector;
    return { object: 'embedding', index, embedding: base64 ? base64OfFloats(numbers) : numbers };
  });
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
  return { model, object: 'list', usage: { total_tokens: tokens, prompt_tokens: tokens }, data };
}
