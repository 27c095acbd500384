import { prefixOf, type RedisSettings } from '@sluice/redis';
import type { TaskSettings } from '../store/task-settings.ts';

/** Returns the options for each shard: the home, then the others in the order of the configuration. */
export function shardOptions<O extends { redis: RedisSettings; prefix: string; settings: TaskSettings }>(
  options: O,
): [O, ...O[]] {
  const { shards = [], ...home } = options.redis;
  const settings = settingsOf(options.settings, 1);
  const others = shards.map((redis): O => {
    const prefix = prefixOf(redis, options.prefix);
    return Object.assign({}, options, { redis, prefix, settings });
  });
  return [{ ...options, redis: home }, ...others];
}

/** The registry of webhooks is on the home. */
export function settingsOf(settings: TaskSettings, shard: number): TaskSettings {
  return shard === 0 ? settings : { ...settings, announcesAll: true };
}
