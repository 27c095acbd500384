import type { Embeddings, EmbeddingWish, LossReport } from '@sluice/canonical';
import type { DirectWire } from '../direct/create-direct-upstream.ts';
import { embeddingTexts } from '../direct/embedding-texts.ts';
import { knownFields } from '../direct/known-fields.ts';
import { readOpenAiEmbeddings } from '../direct/openai-embeddings.ts';
import { reportTitles } from '../direct/report-task.ts';
import { splitEmbedding } from '../direct/split-embedding.ts';
import { jinaRefusal } from './refusal.ts';
import { jinaTask } from './task.ts';

const MOST_TEXTS = 512;
/** Fields that clients of any protocol may say in Jina's words. */
const KNOWN = ['task', 'late_chunking', 'truncate', 'normalized'];

const split = splitEmbedding(MOST_TEXTS);

/** `POST /v1/embeddings` (api.jina.ai/redoc). The answer is OpenAI's. */
export const jinaEmbedding: DirectWire<EmbeddingWish, Embeddings> = {
  request: (wish, { model, report }) => {
    const { dimensions, prefersBase64, foreign } = wish;
    reportTitles(wish, report);
    return {
      path: '/v1/embeddings',
      json: {
        ...taskOf(wish, model, report),
        ...knownFields(foreign, KNOWN, report),
        model,
        input: embeddingTexts(wish),
        ...(dimensions !== undefined && { dimensions }),
        ...(prefersBase64 && { embedding_type: 'base64' }),
      },
    };
  },
  read: (body, wish, { model }) => readOpenAiEmbeddings(body, wish, model),
  refusal: jinaRefusal,
  split: {
    ...split,
    // All texts of such a call are one document: parts of it would mean something else.
    parts: (wish) => (wish.foreign.fields['late_chunking'] === true ? [wish] : split.parts(wish)),
  },
};

function taskOf({ task }: EmbeddingWish, model: string, report: LossReport): { task?: string } {
  if (task === undefined || task === 'TASK_TYPE_UNSPECIFIED') return {};
  const theirs = jinaTask(task, model);
  if (theirs !== undefined) return { task: theirs };
  report({ field: 'taskType', how: 'dropped' });
  return {};
}
