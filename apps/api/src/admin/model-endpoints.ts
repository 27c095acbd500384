import { capabilitiesOfModel } from '@sluice/config';
import { type PriceSource, priceFields } from '@sluice/prices';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-deps.ts';

const RouteSchema = z.object({
  upstream: z.string(),
  model: z.string().describe("The model's name at the upstream."),
  price_status: z
    .enum(['config', 'catalog', 'unpriced', 'depends_on_model'])
    .describe('`depends_on_model`: the id is a pattern, and the catalog has a price for some of its models.'),
  price: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('The price, with the fields of `price` in the configuration. US dollars, tokens per million.'),
  price_source: z
    .object({
      catalog: z.string(),
      date: z.string().describe('The day on which the price was read.'),
      url: z.string().optional().describe("The vendor's page."),
      via: z.string().optional().describe('The secondary source in which the price was read.'),
    })
    .optional()
    .describe('Only of prices of the catalog.'),
});

export const ModelListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(
      z
        .object({
          object: z.literal('model'),
          id: z.string().describe('The id for clients. It can be a pattern.'),
          operations: z.array(z.string()).describe('Operations of the model, such as `text`.'),
          strict: z.boolean(),
          routes: z.array(RouteSchema).describe('In the order in which they are tried.'),
        })
        .meta({ id: 'AdminModel' }),
    ),
    disabled: z
      .array(z.object({ id: z.string(), variables: z.array(z.string()) }))
      .describe('Models that are not served, because environment variables of their upstreams are not set.'),
  })
  .meta({ id: 'AdminModelList' });

export const MODEL_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/models',
  operationId: 'adminListModels',
  summary: 'List the models with their routes and prices',
  response: { status: 200, description: 'The models', schema: ModelListSchema },
  errors: [],
  serve: async ({ config, prices }) => ({
    object: 'list',
    data: config.models.map((model) => ({
      object: 'model',
      id: model.id,
      operations: capabilitiesOfModel(config, model),
      strict: model.strict,
      routes: model.routes.map((route) => ({
        upstream: route.upstream,
        model: route.model,
        ...showPrice(prices, model, route),
      })),
    })),
    disabled: config.disabledModels,
  }),
});

function showPrice(
  prices: AdminDeps['prices'],
  model: AdminDeps['config']['models'][number],
  { upstream, model: name }: { upstream: string; model: string },
) {
  const price = prices.priceOf(model, { upstream, model: name });
  if (!price) return { price_status: name.includes('*') ? 'depends_on_model' : 'unpriced' };
  return { price_status: price.source.from, price: priceFields(price.rates), ...showSource(price.source) };
}

function showSource(source: PriceSource) {
  if (source.from === 'config') return {};
  const { from: _from, ...shown } = source;
  return { price_source: shown };
}
