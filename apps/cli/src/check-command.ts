import { type Config, loadConfig, showUrl } from '@sluice/config';
import { shorten, upstreamsLine } from './banner.ts';

/**
 * `sluice check`: reads the configuration and prints what came of it, without a secret.
 * @returns the exit code
 * @throws {ConfigError} when the configuration is wrong
 */
export async function checkCommand(process: NodeJS.Process): Promise<number> {
  const cwd = process.cwd();
  const config = await loadConfig({ env: process.env, cwd });
  process.stdout.write(`${configTable(config, cwd)}\n`);
  return 0;
}

/** The resolved configuration as a table for people. */
function configTable(config: Config, cwd: string): string {
  const redis = config.redis.url === 'embedded' ? 'embedded' : showUrl(config.redis.url);
  const rows: [string, string][] = [
    ['Config', config.file ? shorten(config.file, cwd) : 'none (defaults)'],
    ['API', `${config.server.host}:${config.server.port}`],
    ['Redis', `${redis}, keys begin with ${config.redis.prefix}`],
    ['Data', shorten(config.dataDir, cwd)],
    ['Content', shorten(config.contentDir, cwd)],
    ['API keys', config.keys.map(({ name, models }) => `${name} (${models?.join(', ') ?? 'all models'})`).join(', ')],
    ['Upstreams', upstreamsLine(config)],
    ...config.models.map(({ id, routes }): [string, string] => [
      'Model',
      `${id} → ${routes.map((route) => `${route.upstream}/${route.model}`).join(', ')}`,
    ]),
    ...config.disabledModels.map(({ id, variables }): [string, string] => [
      'Model off',
      `${id} (${variables.join(', ')} not set)`,
    ]),
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`).join('\n');
}
