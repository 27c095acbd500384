import { z } from 'zod';
import { rankDocuments } from '../../text/rank-documents.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { checkBody } from '../../schema/check-body.ts';
import { jinaInvalid } from './jina-error.ts';

const MAX_DOCUMENTS = 2048;

const Request = z.strictObject({
  model: z.string().min(1),
  query: z.string().min(1),
  documents: z
    .array(z.union([z.string(), z.strictObject({ text: z.string() })]))
    .min(1, 'List should have at least 1 item')
    .max(MAX_DOCUMENTS, `List should have at most ${MAX_DOCUMENTS} items`),
  top_n: z.int().min(1).optional(),
  return_documents: z.boolean().optional(),
  truncation: z.boolean().optional(),
});

export function readRerank(body: unknown) {
  const { model, query, documents, ...read } = checkBody(Request, body ?? {}, jinaInvalid);
  const texts = documents.map((document) => (typeof document === 'string' ? document : document.text));
  return { model, query, texts, topN: read.top_n ?? texts.length, returnDocuments: read.return_documents ?? true };
}

/** The query is billed once for each document. */
export function rerankResponse({ model, query, texts, topN, returnDocuments }: ReturnType<typeof readRerank>) {
  const ranks = rankDocuments(query, texts).slice(0, topN);
  const results = ranks.map(({ index, score }) =>
    returnDocuments
      ? { index, document: { text: texts[index] }, relevance_score: score }
      : { index, relevance_score: score },
  );
  const tokens = texts.reduce((sum, text) => sum + countTokens(text), countTokens(query) * texts.length);
  return { model, object: 'list', usage: { total_tokens: tokens }, results };
}
