import { type Embeddings, type EmbeddingWish, ridingFields } from '@sluice/canonical';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { openAiRefusal } from '../direct/openai-refusal.ts';
import { readOpenAiEmbeddings } from '../direct/openai-embeddings.ts';
import { reportTask } from '../direct/report-task.ts';

/** 2048 vectors of 4096 numbers in all the digits of a double. */
const ANSWER_BYTES = 256 * 1024 * 1024;

/** `POST /embeddings` of OpenAI and who speaks as it does (openai-node 7.55, `resources/embeddings`). */
export const openAiEmbedding: DirectWire<EmbeddingWish, Embeddings> = {
  request: (wish, { model, report }) => {
    const { inputs, dimensions, prefersBase64, foreign } = wish;
    reportTask(wish, report);
    const [only] = inputs;
    return {
      path: '/embeddings',
      json: {
        ...ridingFields(foreign, 'openai', report),
        model,
        // Some local servers take one text, and no list of one.
        input: inputs.length === 1 ? only : inputs,
        ...(dimensions !== undefined && { dimensions }),
        // Not every server knows the field, and floats are what comes without it.
        ...(prefersBase64 && { encoding_format: 'base64' }),
      },
      maxAnswerBytes: ANSWER_BYTES,
    };
  },
  read: (body, wish, { model }) => readOpenAiEmbeddings(body, wish, model),
  refusal: openAiRefusal,
};
