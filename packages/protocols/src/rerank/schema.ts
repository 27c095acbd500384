import { z } from 'zod';
import { requiredOr } from '../json/plain-text.ts';

/** Cohere's limit. */
const MAX_DOCUMENTS = 10_000;
/** Maximum number of rank fields, because each field is looked up in every document. */
const MAX_FIELDS = 100;

const DOCUMENT = 'must be a string, or an object that is not empty';
const DocumentSchema = z.union(
  [z.string(), z.looseObject({}).refine((fields) => Object.keys(fields).length > 0, DOCUMENT)],
  DOCUMENT,
);

/** Request body for both versions of Cohere's clients and for Jina's clients (cohere-ai 8, `rerank`). */
export const RerankSchema = z
  .looseObject(
    {
      model: z.string({ error: 'must be a string' }).min(1, 'must not be empty').optional(),
      query: z.string(requiredOr('must be a string')).min(1, 'must not be empty'),
      documents: z
        .array(DocumentSchema, requiredOr('must be an array of strings or objects'))
        .min(1, 'must not be empty')
        .max(MAX_DOCUMENTS, `must have at most ${MAX_DOCUMENTS} items`),
      top_n: z.int({ error: 'must be an integer' }).min(1, 'must be at least 1').nullish(),
      return_documents: z.boolean({ error: 'must be true or false' }).nullish(),
      rank_fields: z
        .array(z.string({ error: 'must be a string' }).min(1, 'must not be empty'), {
          error: 'must be an array of strings',
        })
        .max(MAX_FIELDS, `must have at most ${MAX_FIELDS} items`)
        .nullish(),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'RerankRequest' });

/** Fields for Cohere's and Jina's clients. */
export const RankingSchema = z
  .object({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z.object({
        index: z.int(),
        relevance_score: z.number(),
        document: z
          .looseObject({})
          .optional()
          .meta({ description: 'With `return_documents`: as sent, or `{text}` for a string.' }),
      }),
    ),
    meta: z.object({
      api_version: z.object({ version: z.string() }),
      billed_units: z.object({ search_units: z.number().optional() }),
      tokens: z.object({ input_tokens: z.int() }),
    }),
    usage: z.object({ prompt_tokens: z.int(), total_tokens: z.int() }),
  })
  .meta({ id: 'Ranking' });
