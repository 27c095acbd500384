/** Maps Google's task names to Jina's. Each generation of models has its own list (api.jina.ai/redoc). */
const OF_V3: Readonly<Record<string, string>> = {
  RETRIEVAL_QUERY: 'retrieval.query',
  RETRIEVAL_DOCUMENT: 'retrieval.passage',
  CODE_RETRIEVAL_QUERY: 'retrieval.query',
  QUESTION_ANSWERING: 'retrieval.query',
  FACT_VERIFICATION: 'retrieval.query',
  SEMANTIC_SIMILARITY: 'text-matching',
  CLASSIFICATION: 'classification',
  CLUSTERING: 'separation',
};
const OF_V4: Readonly<Record<string, string>> = {
  ...OF_V3,
  CODE_RETRIEVAL_QUERY: 'code.query',
  CLASSIFICATION: 'text-matching',
  CLUSTERING: 'text-matching',
};

export function jinaTask(task: string, model: string): string | undefined {
  const tasks = tasksOf(model);
  return Object.hasOwn(tasks, task) ? tasks[task] : undefined;
}

function tasksOf(model: string): Readonly<Record<string, string>> {
  if (/embeddings-v3/.test(model)) return OF_V3;
  return /embeddings-v4/.test(model) ? OF_V4 : {};
}
