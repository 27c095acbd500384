import type { RedisSettings } from '@sluice/config';
import type { Logger } from '@sluice/telemetry';
import { openTokenSource, type IssueToken } from './token-source.ts';

/** The commands of the CLI are shorter than the life of a token. */
const SILENT: Pick<Logger, 'warn'> = { warn: () => undefined };

/**
 * Returns settings with the tokens that connections need. A process calls this once, before it opens connections, so
 * that all of them share the tokens. Other settings are returned unchanged.
 * @throws Error if the cloud issues no token
 */
export async function signInToRedis(
  settings: RedisSettings,
  logger: Pick<Logger, 'warn'> = SILENT,
): Promise<RedisSettings> {
  const issue = settings.tokens ? undefined : await issuerOf(settings);
  if (!issue) return settings;
  const tokens = await openTokenSource(issue, logger).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `There is no token for Redis: ${reason} Check \`redis.identity\` and the identity of the process.`,
      {
        cause: error,
      },
    );
  });
  const shards = settings.shards?.map((shard) => ({ ...shard, tokens }));
  return { ...settings, tokens, ...(shards && { shards }) };
}

/** The libraries of clouds are loaded only here. */
async function issuerOf({ identity, username = '' }: RedisSettings): Promise<IssueToken | undefined> {
  switch (identity?.type) {
    case 'aws-elasticache': {
      const { elastiCacheTokens } = await import('./elasticache-token.ts');
      return elastiCacheTokens({ ...identity, user: username });
    }
    case 'google-memorystore': {
      const { memorystoreTokens } = await import('./memorystore-token.ts');
      return memorystoreTokens();
    }
    case undefined:
      return undefined;
  }
}
