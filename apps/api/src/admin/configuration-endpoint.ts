import { type Config, ConfigError, configChanges, formatPath, redactConfig } from '@sluice/config';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const ShownSchema = z.unknown().describe('A value without secrets.');

export const ConfigurationSchema = z
  .object({
    object: z.literal('configuration'),
    file: z.string().optional().describe('Path of the file. Absent: Sluice runs without a file.'),
    state: z
      .enum(['current', 'changed', 'invalid'])
      .describe('`changed`: the file has changes that apply after a restart. `invalid`: a restart would fail.'),
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
  summary: 'Retrieve the running configuration without secrets, and the changes of the file since the start',
  response: { status: 200, description: 'The configuration', schema: ConfigurationSchema },
  errors: [],
  serve: async ({ config, readConfig }) => ({
    object: 'configuration',
    ...(config.file !== undefined && { file: config.file }),
    running: redactConfig(config),
    ...(await compare(config, readConfig)),
  }),
});

async function compare(running: Config, readConfig: () => Promise<Config>) {
  try {
    const changes = configChanges(running, await readConfig()).map(({ path, before, after }) => ({
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
