import { describe, expect, it } from 'vitest';
import { encodeModel, encodeModelList } from './encode-models.ts';
import { GenerativeModelListSchema, MessagesModelListSchema, ModelListSchema } from './schema.ts';

const MODELS = [
  { id: 'gpt-5', capabilities: ['text'] },
  { id: 'film', capabilities: ['video'] },
];
const PAGE = { models: MODELS, hasMore: true };

describe('lists of models', () => {
  it("are one object by default that both OpenAI's and Anthropic's clients read", () => {
    const list = encodeModelList('default', PAGE);
    expect(list).toEqual({
      object: 'list',
      data: MODELS.map(({ id, capabilities }) => ({
        id,
        capabilities,
        object: 'model',
        created: 0,
        owned_by: 'sluice',
        type: 'model',
        display_name: id,
        created_at: '1970-01-01T00:00:00Z',
      })),
      has_more: true,
      first_id: 'gpt-5',
      last_id: 'film',
    });
    expect(ModelListSchema.parse(list)).toEqual(list);
  });

  it("have only Anthropic's fields in the messages style", () => {
    const list = encodeModelList('messages', { models: MODELS.slice(0, 1), hasMore: false });
    expect(list).toEqual({
      data: [{ type: 'model', id: 'gpt-5', display_name: 'gpt-5', created_at: '1970-01-01T00:00:00Z' }],
      has_more: false,
      first_id: 'gpt-5',
      last_id: 'gpt-5',
    });
    expect(MessagesModelListSchema.parse(list)).toEqual(list);
  });

  it.each([
    [
      ['text', 'embedding'],
      ['generateContent', 'streamGenerateContent', 'countTokens', 'embedContent', 'batchEmbedContents'],
    ],
    [['embedding'], ['embedContent', 'batchEmbedContents']],
  ])('report in the generative style the methods of a model with %j', (capabilities, methods) => {
    const model = encodeModel('generative', { id: 'm', capabilities });
    expect(model).toMatchObject({ supportedGenerationMethods: methods });
  });

  it('report a model’s methods and the next page in the generative style', () => {
    const list = encodeModelList('generative', PAGE);
    expect(list).toEqual({
      models: [
        {
          name: 'models/gpt-5',
          baseModelId: 'gpt-5',
          displayName: 'gpt-5',
          supportedGenerationMethods: ['generateContent', 'streamGenerateContent', 'countTokens'],
        },
        { name: 'models/film', baseModelId: 'film', displayName: 'film', supportedGenerationMethods: [] },
      ],
      nextPageToken: expect.any(String),
    });
    expect(GenerativeModelListSchema.parse(list)).toEqual(list);
    expect(encodeModelList('generative', { models: MODELS, hasMore: false })).not.toHaveProperty('nextPageToken');
  });

  it('may be empty', () => {
    const empty = { models: [], hasMore: false };
    expect(encodeModelList('default', empty)).toEqual({ object: 'list', data: [], has_more: false, first_id: null, last_id: null }); // prettier-ignore
    expect(encodeModelList('generative', empty)).toEqual({ models: [] });
  });

  it.each(['default', 'messages', 'generative'] as const)(
    'contain models in the format of a single retrieval (%s)',
    (style) => {
      // The cast is safe because the list has one of these fields.
      const { data, models } = encodeModelList(style, PAGE) as { data?: unknown[]; models?: unknown[] };
      expect((data ?? models)?.[0]).toEqual(encodeModel(style, { id: 'gpt-5', capabilities: ['text'] }));
    },
  );
});
