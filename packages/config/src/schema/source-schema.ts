import { z } from 'zod';
import { section } from './field-types.ts';

/** Docker and Kubernetes mount secrets here. */
const DEFAULT_SECRET_DIRS = ['/run/secrets'];

/** Where the configuration is. These fields are always read from the file. */
export const SourceSchema = section({
  source: z
    .enum(['file', 'redis'])
    .default('file')
    .describe(
      'Where Sluice reads the configuration. With `redis`, all processes share one configuration in Redis, which `PUT /admin/v1/config` replaces.',
    ),
  secret_dirs: z
    .array(z.string().min(1))
    .default(DEFAULT_SECRET_DIRS)
    .describe('Folders with the secrets that a configuration in Redis can refer to with `${file:PATH}`.'),
});
