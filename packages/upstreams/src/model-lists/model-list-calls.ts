import { z } from 'zod';

/** How a kind lists the models of an account. Sources: the vendors' API references, "List models". */
export interface ModelListCall {
  /** Path below the base URL. */
  path: string;
  query?: Readonly<Record<string, string>>;
  headers: (apiKey: string) => Record<string, string>;
  /** @returns undefined if the response is not a list of models */
  read: (body: unknown) => string[] | undefined;
}

const IdsSchema = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });
const NamesSchema = z.object({ models: z.array(z.object({ name: z.string().min(1) })) });

/** The largest page that the vendors of paged lists return. */
const PAGE_SIZE = '1000';

const bearer = (apiKey: string): Record<string, string> => ({ authorization: `Bearer ${apiKey}` });
const readIds: ModelListCall['read'] = (body) => IdsSchema.safeParse(body).data?.data.map(({ id }) => id);
const readNames: ModelListCall['read'] = (body) =>
  NamesSchema.safeParse(body).data?.models.map(({ name }) => name.replace(/^models\//, ''));

const OPENAI: ModelListCall = { path: '/models', headers: bearer, read: readIds };

/** Kinds whose vendors list the models of an account. The other vendors have no such call. */
export const MODEL_LIST_CALLS: Readonly<Record<string, ModelListCall>> = {
  'chat-completions': OPENAI,
  responses: OPENAI,
  messages: {
    path: '/v1/models',
    query: { limit: PAGE_SIZE },
    headers: (apiKey) => ({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }),
    read: readIds,
  },
  'generative-content': {
    path: '/v1beta/models',
    query: { pageSize: PAGE_SIZE },
    headers: (apiKey) => ({ 'x-goog-api-key': apiKey }),
    read: readNames,
  },
  cohere: { path: '/v1/models', query: { page_size: PAGE_SIZE }, headers: bearer, read: readNames },
};
