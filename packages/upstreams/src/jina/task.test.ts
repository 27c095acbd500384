import { expect, it } from 'vitest';
import { jinaTask } from './task.ts';

it.each([
  ['RETRIEVAL_QUERY', 'jina-embeddings-v3', 'retrieval.query'],
  ['CLUSTERING', 'jina-embeddings-v3', 'separation'],
  ['CLASSIFICATION', 'jina-embeddings-v3', 'classification'],
  ['CODE_RETRIEVAL_QUERY', 'jina-embeddings-v4', 'code.query'],
  ['CLUSTERING', 'jina-embeddings-v4', 'text-matching'],
  ['CLUSTERING', 'jina-clip-v2', undefined],
  ['toString', 'jina-embeddings-v3', undefined],
])('%s of %s is %s', (task, model, theirs) => {
  expect(jinaTask(task, model)).toBe(theirs);
});
