import type { z } from 'zod';
import type { ModelListStyle } from './model-list-style.ts';
import { type ModelPage, pageTokenAfter } from './model-page.ts';
import type {
  GenerativeModelListSchema,
  GenerativeModelSchema,
  MessagesModelListSchema,
  MessagesModelSchema,
  ModelListSchema,
  ModelSchema,
} from './schema.ts';

export interface ListedModel {
  id: string;
  /** Names of the tasks that the model can do, for example `text` or `video`. */
  capabilities: readonly string[];
}

/** Creation times are unknown. Anthropic documents the epoch for this case. */
const CREATED = { created: 0, created_at: '1970-01-01T00:00:00Z' };
/** Hides from clients which vendor serves a model. */
const OWNER = 'sluice';

export function encodeModelList(style: ModelListStyle, { models, hasMore }: ModelPage<ListedModel>): unknown {
  const cursors = { has_more: hasMore, first_id: models[0]?.id ?? null, last_id: models.at(-1)?.id ?? null };
  switch (style) {
    case 'default':
      return { object: 'list', data: models.map(defaultModel), ...cursors } satisfies z.output<typeof ModelListSchema>;
    case 'messages':
      return { data: models.map(messagesModel), ...cursors } satisfies z.output<typeof MessagesModelListSchema>;
    case 'generative':
      return {
        models: models.map(generativeModel),
        ...(hasMore && cursors.last_id !== null && { nextPageToken: pageTokenAfter(cursors.last_id) }),
      } satisfies z.output<typeof GenerativeModelListSchema>;
  }
}

export function encodeModel(style: ModelListStyle, model: ListedModel): unknown {
  switch (style) {
    case 'default':
      return defaultModel(model);
    case 'messages':
      return messagesModel(model);
    case 'generative':
      return generativeModel(model);
  }
}

function defaultModel(model: ListedModel): z.output<typeof ModelSchema> {
  const capabilities = [...model.capabilities];
  return { object: 'model', created: CREATED.created, owned_by: OWNER, capabilities, ...messagesModel(model) };
}

function messagesModel({ id }: ListedModel): z.output<typeof MessagesModelSchema> {
  return { id, type: 'model', display_name: id, created_at: CREATED.created_at };
}

function generativeModel({ id, capabilities }: ListedModel): z.output<typeof GenerativeModelSchema> {
  return {
    name: `models/${id}`,
    baseModelId: id,
    displayName: id,
    supportedGenerationMethods: [
      ...(capabilities.includes('text') ? ['generateContent', 'streamGenerateContent', 'countTokens'] : []),
      ...(capabilities.includes('embedding') ? ['embedContent', 'batchEmbedContents'] : []),
    ],
  };
}
