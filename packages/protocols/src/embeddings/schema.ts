import { z } from 'zod';

/** OpenAI's limit. */
const MAX_INPUTS = 2_048;
/** OpenAI's limit for all inputs of a request together. */
const MAX_TOKENS = 300_000;

const NOT_INPUT =
  'must be a string, an array of strings, an array of tokens, or an array of such arrays, and not empty';
const empty = 'must not be empty';
const Text = z.string().min(1, empty);
// `abort` stops validation at the first invalid token.
const Token = z.int('must be an integer').min(0, { error: 'must not be negative', abort: true });
const Tokens = z.array(Token).min(1, empty).max(MAX_TOKENS);

function inputProblem(input: unknown): string {
  if (input === undefined) return 'is required';
  if (!Array.isArray(input)) return NOT_INPUT;
  const [max, items] = typeof input[0] === 'number' ? [MAX_TOKENS, 'tokens'] : [MAX_INPUTS, 'items'];
  return input.length > max ? `must have at most ${max} ${items}` : NOT_INPUT;
}

/** As in OpenAI's API, a single array of tokens is one input. */
const InputSchema = z.union(
  [Text, Tokens, z.array(Text).min(1, empty).max(MAX_INPUTS), z.array(Tokens).min(1, empty).max(MAX_INPUTS)],
  { error: ({ input }) => inputProblem(input) },
);

/** Body of an embeddings request (openai-node 7.55, `resources/embeddings`). The path can name the model instead. */
export const EmbeddingsSchema = z
  .looseObject(
    {
      model: z.string({ error: 'must be a string' }).min(1, 'must not be empty').optional(),
      input: InputSchema,
      encoding_format: z.enum(['float', 'base64'], { error: 'must be float or base64' }).nullish(),
      dimensions: z.int({ error: 'must be an integer' }).min(1, 'must be at least 1').nullish(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateEngineEmbeddings' });

export const EmbeddingListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z.object({
        object: z.literal('embedding'),
        index: z.int(),
        embedding: z.union([
          z.array(z.number()),
          z.string().meta({ description: 'With `encoding_format: base64`: little-endian float32.' }),
        ]),
      }),
    ),
    model: z.string(),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'EmbeddingList' });
