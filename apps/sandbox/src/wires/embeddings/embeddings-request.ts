import { z } from 'zod';
import type { WireError } from '../../http/wire-error.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { openAiError } from '../openai-style/openai-error.ts';

type EmbeddingInput = string | readonly number[];

const WIDTH = 256;
/** openai 7.55.0: "any array must be 2048 dimensions or less", and 8192 tokens for all models. */
const MAX_INPUTS = 2048;
const MAX_TOKENS = 8192;

const Request = z.strictObject({
  // Checked separately, because the vendor returns the same message for all errors of this field.
  input: z.unknown(),
  model: z.string().min(1),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().min(1).optional(),
  user: z.string().optional(),
});

const Text = z.string().min(1);
const Tokens = z.array(z.int().min(0)).min(1).max(MAX_INPUTS);
const Input = z.union([
  Text.transform((text) => [text]),
  Tokens.transform((tokens) => [tokens]),
  z.array(Text).min(1).max(MAX_INPUTS),
  z.array(Tokens).min(1).max(MAX_INPUTS),
]);

export function tooManyTokens(tokens: number): WireError {
  const message = `This model's maximum context length is ${MAX_TOKENS} tokens, however you requested ${tokens} tokens (${tokens} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`;
  return openAiError(400, message);
}

function readInput(input: unknown): EmbeddingInput[] {
  const read = Input.safeParse(input);
  if (read.success) return read.data;
  const message =
    "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.";
  throw openAiError(400, message);
}

function checkDimensions(model: string, dimensions: number | undefined): void {
  if (dimensions === undefined) return;
  if (/fixed|ada/.test(model)) throw openAiError(400, 'This model does not support specifying dimensions.');
  if (dimensions > WIDTH) {
    const rule = `Must be less than or equal to ${WIDTH}.`;
    throw openAiError(400, `Invalid value for 'dimensions' = ${dimensions}. ${rule}`);
  }
}

export function readEmbeddingsRequest(body: unknown) {
  const read = Request.safeParse(body ?? {});
  if (!read.success) throw explainIssue(read.error, body);
  const { model, dimensions, encoding_format: format } = read.data;
  const inputs = readInput(read.data.input);
  checkDimensions(model, dimensions);
  const counts = inputs.map((input) => (typeof input === 'string' ? countTokens(input) : input.length));
  const max = Math.max(...counts);
  if (max > MAX_TOKENS) throw tooManyTokens(max);
  return {
    model,
    inputs,
    dimensions: dimensions ?? WIDTH,
    // Simulates vendors that do not support base64.
    base64: format === 'base64' && !model.includes('float'),
    tokens: counts.reduce((sum, count) => sum + count, 0),
  };
}
