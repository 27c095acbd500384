import { type Embeddings, type EmbeddingParams, fieldsForUpstream } from '@sluice/canonical';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { openAiRefusal } from '../direct/openai-refusal.ts';
import { readOpenAiEmbeddings } from '../direct/openai-embeddings.ts';
import { reportTask } from '../direct/report-task.ts';

/** Enough for 2048 vectors of 4096 numbers, each with all digits of a double. */
const RESPONSE_BYTES = 256 * 1024 * 1024;

/** `POST /embeddings` of OpenAI and compatible servers (openai-node 7.55, `resources/embeddings`). */
export const openAiEmbedding: DirectWire<EmbeddingParams, Embeddings> = {
  request: (params, { model, report }) => {
    const { inputs, dimensions, prefersBase64, foreign } = params;
    reportTask(params, report);
    const [only] = inputs;
    return {
      path: '/embeddings',
      json: {
        ...fieldsForUpstream(foreign, 'openai', report),
        model,
        // Some local servers accept a single text but not a list with one item.
        input: inputs.length === 1 ? only : inputs,
        ...(dimensions !== undefined && { dimensions }),
        // Not every server supports this field. By default, servers return floats.
        ...(prefersBase64 && { encoding_format: 'base64' }),
      },
      maxResponseBytes: RESPONSE_BYTES,
    };
  },
  read: (body, params, { model }) => readOpenAiEmbeddings(body, params, model),
  refusal: openAiRefusal,
};
