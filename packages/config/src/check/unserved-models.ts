import { doPatternsMeet } from '../patterns/do-patterns-meet.ts';
import { modelCatalog } from '../models/model-catalog.ts';
import type { Config } from '../schema/schema.ts';

/** Finds the allowed ids and patterns of a key that match no model. They may be misspelled. */
export function unservedModels(config: Pick<Config, 'models'>, allowed: readonly string[]): string[] {
  const catalog = modelCatalog(config);
  return allowed.filter((one) =>
    one.includes('*') ? !config.models.some(({ id }) => doPatternsMeet(one, id)) : catalog.find(one) === undefined,
  );
}
