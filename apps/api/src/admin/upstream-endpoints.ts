import { GatewayError } from '@sluice/canonical';
import {
  capabilitiesOfModel,
  MODEL_CAPABILITIES,
  shownCredentials,
  showUrl,
  type UpstreamConfig,
} from '@sluice/config';
import type { TaskStats } from '@sluice/tasks';
import { z } from 'zod';
import type { Circuit } from '../routing/circuit-states.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-deps.ts';
import { CredentialStateSchema, showPool, showTaskSlots, TaskSlotsSchema } from './upstreams/credential-states.ts';
import { TESTED_OPERATIONS, testUpstream } from './upstreams/test-upstream.ts';

const TEST_TIMEOUT_MS = 60_000;
const NANOS_PER_DOLLAR = 1e9;

const UpstreamSchema = z
  .object({
    object: z.literal('upstream'),
    name: z.string(),
    kind: z.string(),
    base_url: z.string().describe('Without a password.'),
    credentials: z.array(z.string()).describe('Names of the configured credentials.'),
    pool: z
      .array(CredentialStateSchema)
      .optional()
      .describe('The state of each credential, without its secret. Absent without a pool.'),
    headers: z.array(z.string()).describe('Names of the configured headers.'),
    models: z.array(z.string()).describe('Ids of the models with a route to the upstream.'),
    operations: z.array(z.string()).describe('Operations of its models, such as `text`.'),
    circuits: z
      .array(
        z.object({
          operation: z.string(),
          state: z.enum(['closed', 'half-open', 'open']).describe('An open one sends no requests to the upstream.'),
          retry_after_ms: z.number().optional().describe('Milliseconds until an open one admits a call.'),
        }),
      )
      .describe('Circuit breakers. With several processes, the worst state of them.'),
    tasks: TaskSlotsSchema.optional().describe(
      'Slots for tasks. Absent without a worker, and for upstreams without tasks. With a pool, of tasks from before it.',
    ),
  })
  .meta({ id: 'AdminUpstream' });

export const UpstreamListSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(UpstreamSchema),
    disabled: z
      .array(z.object({ name: z.string(), variable: z.string() }))
      .describe('Upstreams that are not used, because an environment variable of their credential is not set.'),
  })
  .meta({ id: 'AdminUpstreamList' });

const TestSchema = z
  .strictObject({
    model: z.string().min(1).describe('The id of a model with a route to the upstream.'),
    operation: z.enum(TESTED_OPERATIONS).optional().describe('Default: the first one of the model.'),
  })
  .meta({ id: 'AdminUpstreamTestRequest' });

export const UpstreamTestSchema = z
  .object({
    object: z.literal('upstream.test'),
    upstream: z.string(),
    model: z.string(),
    upstream_model: z.string().describe("The model's name at the upstream."),
    operation: z.enum(TESTED_OPERATIONS),
    ok: z.boolean(),
    duration_ms: z.number(),
    response: z.string().optional().describe('The start of the generated text, or a summary.'),
    usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }).optional(),
    cost_usd: z.number().optional().describe('Absent if the price or the usage is unknown.'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    upstream_status: z.number().optional(),
    upstream_body: z.string().optional().describe("The start of the upstream's error, without credentials."),
  })
  .meta({ id: 'AdminUpstreamTest' });

export const UPSTREAM_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/upstreams',
    operationId: 'adminListUpstreams',
    summary: 'List the upstreams with their circuit breakers and slots',
    response: { status: 200, description: 'The upstreams', schema: UpstreamListSchema },
    errors: ['store_unavailable'],
    serve: async (deps) => {
      const { config } = deps;
      const [{ slots }, circuits] = await Promise.all([deps.engine.stats(), deps.circuits()]);
      return {
        object: 'list',
        data: Object.entries(config.upstreams).map(([name, upstream]) =>
          show(deps, { name, upstream, circuits, slots }),
        ),
        disabled: config.disabledUpstreams,
      };
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/upstreams/:name/test',
    role: 'operator',
    operationId: 'adminTestUpstream',
    summary: 'Send one small request to an upstream, which its vendor bills',
    body: TestSchema,
    response: { status: 200, description: 'The outcome, also of a failed call', schema: UpstreamTestSchema },
    errors: ['not_found'],
    serve: (deps, { params: { name = '' }, body }) => test(deps, name, body),
  }),
];

interface Shown {
  name: string;
  upstream: UpstreamConfig;
  circuits: readonly Circuit[];
  slots: TaskStats['slots'];
}

function show({ config, accounts, credentials }: AdminDeps, { name, upstream, circuits, slots }: Shown) {
  const models = config.models.filter(({ routes }) => routes.some((route) => route.upstream === name));
  const account = accounts.get(name) ?? {};
  const used = new Set<string>(models.flatMap((model) => capabilitiesOfModel(config, model)));
  return {
    object: 'upstream',
    name,
    kind: upstream.kind,
    base_url: showUrl(upstream.base_url),
    credentials: shownCredentials(upstream),
    ...(upstream.credentials && { pool: showPool(credentials, name, slots) }),
    headers: Object.keys(upstream.headers ?? {}),
    models: models.map(({ id }) => id),
    operations: MODEL_CAPABILITIES.filter((operation) => operation in account && used.has(operation)),
    circuits: circuits
      .filter((circuit) => circuit.upstream === name && used.has(circuit.operation))
      .map(({ operation, state, openMs }) => ({
        operation,
        state,
        retry_after_ms: openMs > 0 ? openMs : undefined,
      })),
    ...(slots[name] && { tasks: showTaskSlots(slots[name]) }),
  };
}

async function test(deps: AdminDeps, name: string, { model, operation: wanted }: z.output<typeof TestSchema>) {
  const { config, accounts, catalog, prices, stopping } = deps;
  const account = accounts.get(name);
  if (!account) throw new GatewayError('not_found', 'No such upstream. `GET /admin/v1/upstreams` lists all upstreams.');
  const found = catalog.find(model);
  const target = found?.targets.find(({ upstream }) => upstream === name);
  if (!found || !target || target.model.includes('*')) {
    const problem = target ? 'must be the name of one model, not a pattern' : 'must have a route to this upstream';
    throw new GatewayError('invalid_request', `\`model\` ${problem}.`, { param: 'model' });
  }
  const served = new Set(capabilitiesOfModel(config, found.model).filter((one) => one in account));
  const operation = TESTED_OPERATIONS.find((one) => served.has(one) && (wanted ?? one) === one);
  if (operation === undefined) {
    const reason = `\`${model}\` has no operation that a test can call cheaply (${TESTED_OPERATIONS.join(', ')})`;
    throw new GatewayError('invalid_request', `${reason}. Send a request to the API instead.`, { param: 'model' });
  }
  const startedAt = performance.now();
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(TEST_TIMEOUT_MS)]);
  const call = { upstream: name, model: target.model, quirks: target.quirks, account, signal };
  const { usage, ...outcome } = await testUpstream(operation, call);
  const cost = usage && prices.priceOf(found.model, { upstream: name, model: target.model })?.costOf({ usage });
  return {
    object: 'upstream.test',
    upstream: name,
    model,
    upstream_model: target.model,
    operation,
    ok: outcome.error === undefined,
    duration_ms: Math.round(performance.now() - startedAt),
    ...outcome,
    ...(usage && { usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens } }),
    ...(cost && { cost_usd: cost.nanos / NANOS_PER_DOLLAR }),
  };
}
