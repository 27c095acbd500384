import type { Embeddings, EmbeddingParams, LossReport } from '@sluice/canonical';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { embeddingTexts } from '../direct/embedding-texts.ts';
import { knownFields } from '../direct/known-fields.ts';
import { readOpenAiEmbeddings } from '../direct/openai-embeddings.ts';
import { reportTitles } from '../direct/report-task.ts';
import { splitEmbedding } from '../direct/split-embedding.ts';
import { jinaRefusal } from './refusal.ts';
import { jinaTask } from './task.ts';

const MAX_TEXTS = 512;
/** Fields of Jina's API. Clients may send them with any protocol. */
const KNOWN = ['task', 'late_chunking', 'truncate', 'normalized'];

const split = splitEmbedding(MAX_TEXTS);

/** `POST /v1/embeddings` (api.jina.ai/redoc). The response has OpenAI's format. */
export const jinaEmbedding: DirectWire<EmbeddingParams, Embeddings> = {
  request: (params, { model, report }) => {
    const { dimensions, prefersBase64, foreign } = params;
    reportTitles(params, report);
    return {
      path: '/v1/embeddings',
      json: {
        ...taskOf(params, model, report),
        ...knownFields(foreign, KNOWN, report),
        model,
        input: embeddingTexts(params),
        ...(dimensions !== undefined && { dimensions }),
        ...(prefersBase64 && { embedding_type: 'base64' }),
      },
    };
  },
  read: (body, params, { model }) => readOpenAiEmbeddings(body, params, model),
  refusal: jinaRefusal,
  split: {
    ...split,
    // With `late_chunking`, all texts form one document, so a split request would have a different result.
    parts: (params, call) => (params.foreign.fields['late_chunking'] === true ? [params] : split.parts(params, call)),
  },
};

function taskOf({ task }: EmbeddingParams, model: string, report: LossReport): { task?: string } {
  if (task === undefined || task === 'TASK_TYPE_UNSPECIFIED') return {};
  const theirs = jinaTask(task, model);
  if (theirs !== undefined) return { task: theirs };
  report({ field: 'taskType', how: 'dropped' });
  return {};
}
