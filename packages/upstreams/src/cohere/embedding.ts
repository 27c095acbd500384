import { type Embeddings, type EmbeddingParams, GatewayError, type LossReport, orList } from '@sluice/canonical';
import { z } from 'zod';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { embeddingTexts } from '../direct/embedding-texts.ts';
import { fitDimensions } from '../direct/fit-dimensions.ts';
import { knownFields } from '../direct/known-fields.ts';
import { reportTitles } from '../direct/report-task.ts';
import { splitEmbedding } from '../direct/split-embedding.ts';
import { WireNumbers } from '../direct/wire-vector.ts';
import { Tokens } from '../media/lenient.ts';
import { cohereRefusal } from './refusal.ts';

/** "Maximum number of texts per call is 96" (cohere-ai 8.1, `V2EmbedRequest`). */
const MAX_TEXTS = 96;
const KNOWN = ['input_type', 'truncate', 'max_tokens', 'priority'];

/** Cohere requires an input type. This default is the more common use of embeddings: documents, not queries. */
const DEFAULT_TYPE = 'search_document';
const INPUT_TYPES: Readonly<Record<string, string>> = {
  TASK_TYPE_UNSPECIFIED: DEFAULT_TYPE,
  RETRIEVAL_DOCUMENT: 'search_document',
  RETRIEVAL_QUERY: 'search_query',
  CODE_RETRIEVAL_QUERY: 'search_query',
  QUESTION_ANSWERING: 'search_query',
  FACT_VERIFICATION: 'search_query',
  CLASSIFICATION: 'classification',
  CLUSTERING: 'clustering',
  SEMANTIC_SIMILARITY: 'clustering',
};

/** Vector lengths of version 4 ("Cohere's Embed Models"). In version 3, the length is fixed and has no field. */
const V4_SIZES: readonly number[] = [256, 512, 1024, 1536];

const WireEmbeddings = z.looseObject({
  embeddings: z.looseObject({ float: z.array(WireNumbers) }),
  meta: z
    .looseObject({ billed_units: z.looseObject({ input_tokens: Tokens }).nullish() })
    .nullish()
    .catch(undefined),
});

export const cohereEmbedding: DirectWire<EmbeddingParams, Embeddings> = {
  request: (params, { model, report }) => {
    const { dimensions, foreign } = params;
    reportTitles(params, report);
    return {
      path: '/v2/embed',
      json: {
        input_type: inputType(params, report),
        ...knownFields(foreign, KNOWN, report),
        model,
        texts: embeddingTexts(params),
        embedding_types: ['float'],
        ...(dimensions !== undefined && dimensionOf(dimensions, model)),
      },
    };
  },
  read: (body, params, { model }) => {
    const { data } = WireEmbeddings.safeParse(body);
    const vectors = data?.embeddings.float;
    if (vectors?.length !== params.inputs.length) return undefined;
    const inputTokens = data?.meta?.billed_units?.input_tokens;
    return fitDimensions({ vectors, ...(inputTokens !== undefined && { inputTokens }) }, params, model);
  },
  refusal: cohereRefusal,
  split: splitEmbedding(MAX_TEXTS),
};

function dimensionOf(dimensions: number, model: string): { output_dimension?: number } {
  const isV3 = /embed-(?:english|multilingual)-(?:light-)?v3/.test(model);
  const sizes = isV3 ? [model.includes('-light-') ? 384 : 1024] : V4_SIZES;
  if (!isV3 && !model.includes('embed-v4')) return { output_dimension: dimensions };
  if (sizes.includes(dimensions)) return isV3 ? {} : { output_dimension: dimensions };
  throw new GatewayError(
    'unsupported_parameter',
    `\`dimensions\` must be ${orList(sizes.map(String))} for this model.`,
    {
      param: 'dimensions',
    },
  );
}

function inputType({ task }: EmbeddingParams, report: LossReport): string {
  if (task === undefined) return DEFAULT_TYPE;
  const type = Object.hasOwn(INPUT_TYPES, task) ? INPUT_TYPES[task] : undefined;
  if (type === undefined) report({ field: 'taskType', how: 'dropped' });
  return type ?? DEFAULT_TYPE;
}
