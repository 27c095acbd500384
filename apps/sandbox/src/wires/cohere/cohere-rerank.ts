import { z } from 'zod';
import type { TextVendor } from '../../text/text-vendor.ts';
import { rankDocuments } from '../../text/rank-documents.ts';
import { checkCohereBody, invalidRequest } from './cohere-error.ts';

type Document = string | Record<string, unknown>;

export interface CohereRerank {
  version: '1' | '2';
  query: string;
  documents: readonly Document[];
  texts: string[];
  topN: number;
  returnDocuments: boolean;
}

/** "total max chunks (length of documents * max_chunks_per_doc) must be less than 10000" (cohere-ai 8.1.0). */
const MAX_CHUNKS = 10_000;
/** A search unit is a query with up to 100 documents (Cohere's price list). */
const DOCUMENTS_A_UNIT = 100;

const QUERY = 'query must not be empty or be only whitespace';
const Query = z.string().refine((query) => query.trim() !== '', QUERY);
const count = z.int().min(1).optional();

const Second = z.strictObject({
  model: z.string().min(1),
  query: Query,
  documents: z.array(z.string()),
  top_n: count,
  max_tokens_per_doc: count,
  priority: z.int().min(0).max(999).optional(),
});

const First = z.strictObject({
  // Version 1 of the API allows requests without a model.
  model: z.string().min(1).optional(),
  query: Query,
  documents: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  top_n: count,
  rank_fields: z.array(z.string()).min(1).optional(),
  return_documents: z.boolean().optional(),
  max_chunks_per_doc: count,
});

function checkDocuments(documents: readonly unknown[], chunks = 1): void {
  if (documents.length === 0) throw invalidRequest('list of documents must not be empty');
  if (documents.length * chunks <= MAX_CHUNKS) return;
  const max = Math.floor(MAX_CHUNKS / chunks);
  throw invalidRequest(`too many documents: at most ${max} are allowed, received ${documents.length}`);
}

function textOf(document: Document, fields: readonly string[], at: number): string {
  if (typeof document === 'string') return document;
  const values = fields.map((field) => document[field]).filter((value) => typeof value === 'string');
  if (values.length === 0)
    throw invalidRequest(`document at index ${at} must have one of the fields ${fields.join(', ')}`);
  return values.join('\n');
}

export function readSecondRerank(body: unknown): CohereRerank {
  const { query, documents, top_n: topN } = checkCohereBody(Second, body);
  checkDocuments(documents);
  return { version: '2', query, documents, texts: documents, topN: topN ?? documents.length, returnDocuments: false };
}

export function readFirstRerank(body: unknown): CohereRerank {
  const read = checkCohereBody(First, body);
  const { query, documents, top_n: topN = documents.length, rank_fields: fields = ['text'] } = read;
  checkDocuments(documents, read.max_chunks_per_doc);
  const texts = documents.map((document, at) => textOf(document, fields, at));
  return { version: '1', query, documents, texts, topN, returnDocuments: read.return_documents === true };
}

function returned(document: Document | undefined): unknown {
  return typeof document === 'string' ? { text: document } : document;
}

export function rerankResponse(params: CohereRerank, { newId }: Pick<TextVendor, 'newId'>) {
  const { documents, version } = params;
  const ranks = rankDocuments(params.query, params.texts).slice(0, params.topN);
  const results = ranks.map(({ index, score }) =>
    params.returnDocuments
      ? { document: returned(documents[index]), index, relevance_score: score }
      : { index, relevance_score: score },
  );
  const units = Math.ceil(documents.length / DOCUMENTS_A_UNIT);
  return { id: newId(), results, meta: { api_version: { version }, billed_units: { search_units: units } } };
}
