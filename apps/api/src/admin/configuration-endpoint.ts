import { type Config, ConfigError, configChanges, formatPath, redactConfig } from '@sluice/config';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const ShownSchema = z.unknown().describe('A value without secrets.');

export const ConfigurationSchema = z
  .object({
    object: z.literal('configuration'),
    file: z.string().optional().describe('Path of the file. Absent: Sluice runs without a file.'),
    state: z
      .enum(['current', 'changed', 'invalid'])
      .describe(
        '`changed`: the file has other values, e.g. of fields that need a restart. `invalid`: the file has errors.',
      ),
    running: z.record(z.string(), z.unknown()).describe('The configuration as understood, without secrets.'),
    changes: z
      .array(
        z.object({
          path: z.string().describe('Such as `models[gpt-5].price.input`.'),
          running: ShownSchema.optional(),
          file: ShownSchema.optional(),
        }),
      )
      .describe('The fields that differ between the running configuration and the file.'),
    issues: z
      .array(z.object({ where: z.string(), field: z.string(), wrong: z.string(), remedy: z.string() }))
      .describe('The problems of an invalid file.'),
  })
  .meta({ id: 'AdminConfiguration' });

export const CONFIGURATION_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/configuration',
  operationId: 'adminRetrieveConfiguration',
  summary: 'Retrieve the running configuration without secrets, and the differences from the file',
  response: { status: 200, description: 'The configuration', schema: ConfigurationSchema },
  errors: [],
  serve: async ({ config, reloader }) => ({
    object: 'configuration',
    ...(config.file !== undefined && { file: config.file }),
    running: redactConfig(config),
    ...(await compare(config, reloader)),
  }),
});

async function compare(running: Config, reloader: AdminDeps['reloader']) {
  try {
    const { config: next } = await reloader.read();
    const changes = configChanges(running, next).map(({ path, before, after }) => ({
      path,
      running: before,
      file: after,
    }));
    return { state: changes.length > 0 ? 'changed' : 'current', changes, issues: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const issues = error.issues.map(({ where, path, wrong, remedy }) => ({
      where,
      field: formatPath(path),
      wrong,
      remedy,
    }));
    return { state: 'invalid', changes: [], issues };
  }
}
