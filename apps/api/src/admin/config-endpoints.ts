import { GatewayError } from '@sluice/canonical';
import { ConfigError } from '@sluice/config';
import type { ProcessState } from '@sluice/reload';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-deps.ts';

const IssueSchema = z.object({
  where: z.string().describe('`FILE:LINE:COLUMN`, or the environment variable.'),
  field: z.string(),
  wrong: z.string(),
  remedy: z.string(),
});

const ProcessSchema = z.object({
  id: z.string(),
  kind: z.enum(['api', 'worker']),
  host: z.string(),
  pid: z.number(),
  version: z.string().describe('A short hash of the fields that a reload changes.'),
  since: z.number().describe('When the version came into force, in Unix seconds.'),
  source: z.enum(['file', 'redis', 'last_good']).describe('`last_good` is the copy in the data folder.'),
  result: z
    .enum(['start', 'applied', 'unchanged', 'invalid', 'failed'])
    .describe('The outcome of the last reload. `start`: there was none.'),
  restart: z.array(z.string()).describe('Changed fields that apply after a restart.'),
  issues: z.array(IssueSchema).describe('The problems of the last reload, which has changed nothing.'),
});

const ConfigStatusSchema = z
  .object({
    object: z.literal('config'),
    source: z.enum(['file', 'redis']).describe('The value of `config.source`.'),
    version: z.string().describe('The version of the process that responds.'),
    is_uniform: z.boolean().describe('Whether all processes have the same version.'),
    complete: z.boolean().describe('False while Redis is unavailable. Only the process that responds is then listed.'),
    processes: z.array(ProcessSchema),
  })
  .meta({ id: 'AdminConfigStatus' });

/** Long enough for thousands of models. */
const MAX_TEXT = 512 * 1024;

const PutConfigSchema = z
  .strictObject({
    text: z.string().min(1).max(MAX_TEXT).describe('The configuration as YAML, in the format of `sluice.yaml`.'),
    dry_run: z.boolean().default(false).describe('Only validates and compares it.'),
  })
  .meta({ id: 'AdminPutConfigRequest' });

const ShownSchema = z.unknown().describe('A value without secrets.');

const ConfigChangeSchema = z
  .object({
    object: z.literal('config.change'),
    version: z.string().describe('The version of the new configuration.'),
    dry_run: z.boolean(),
    changes: z
      .array(z.object({ path: z.string(), before: ShownSchema.optional(), after: ShownSchema.optional() }))
      .describe('The changed fields.'),
    restart: z.array(z.string()).describe('Changed fields that apply after a restart.'),
  })
  .meta({ id: 'AdminConfigChange' });

export const CONFIG_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/config',
    operationId: 'adminRetrieveConfig',
    summary: 'List the processes with the version of the configuration that each one runs',
    response: { status: 200, description: 'The versions', schema: ConfigStatusSchema },
    errors: [],
    serve: async ({ reloader, config }) => {
      const { state, store } = reloader;
      const listed = await store.list().catch(() => undefined);
      const others = (listed ?? []).filter(({ id }) => id !== state.id);
      const processes = [state, ...others];
      return {
        object: 'config',
        source: config.config.source,
        version: state.version,
        is_uniform: processes.every(({ version }) => version === state.version),
        complete: listed !== undefined,
        processes: processes.map(showProcess),
      };
    },
  }),
  defineAdminEndpoint({
    method: 'PUT',
    path: '/admin/v1/config',
    operationId: 'adminReplaceConfig',
    summary: 'Replace the configuration in Redis, and reload it in all processes',
    body: PutConfigSchema,
    response: { status: 200, description: 'The changes', schema: ConfigChangeSchema },
    errors: ['store_unavailable'],
    serve: replaceConfig,
  }),
];

async function replaceConfig(
  { reloader, config }: AdminDeps,
  { body: { text, dry_run: isDryRun } }: { body: z.output<typeof PutConfigSchema> },
) {
  if (!isDryRun && config.config.source === 'file') {
    const message =
      'The configuration of this gateway is in a file. Edit the file, or set `config.source: redis` in it.';
    throw new GatewayError('invalid_request', message);
  }
  const preview = await reloader.preview(text).catch((error: unknown) => {
    if (!(error instanceof ConfigError)) throw error;
    throw new GatewayError('invalid_request', `The configuration has errors.\n${error.message}`, { param: 'text' });
  });
  if (!isDryRun) {
    const request = await reloader.store.write(text).catch((error: unknown) => {
      const options = { retryAfterMs: 1_000, cause: error };
      throw new GatewayError(
        'store_unavailable',
        'Redis is unavailable, so nothing has changed. Retry later.',
        options,
      );
    });
    await reloader.reload('admin', request);
  }
  return { object: 'config.change', ...preview, dry_run: isDryRun };
}

function showProcess({ since, request: _request, ...state }: Readonly<ProcessState>) {
  return { ...state, since: Math.floor(since / 1_000) };
}
