import {
  type Config,
  type ConfigDescription,
  describeConfig,
  loadConfig,
  type UpstreamDescription,
} from '@sluice/config';
import { shortenPath } from './start/banner.ts';
import { expectedSandboxPort } from './start/choose-sandbox-port.ts';

/**
 * `sluice check`: prints the resolved configuration without secrets.
 * @returns the exit code
 * @throws {ConfigError} if the configuration is invalid
 */
export async function checkCommand(process: NodeJS.Process): Promise<number> {
  const cwd = process.cwd();
  const config = await loadAsStarted(process.env, cwd);
  process.stdout.write(`${configTable(describeConfig(config), cwd)}\n`);
  return 0;
}

/** The configuration as API and worker read it; `sluice start` adds the sandbox's URL. */
async function loadAsStarted(env: NodeJS.ProcessEnv, cwd: string): Promise<Config> {
  const config = await loadConfig({ env, cwd });
  if (config.sandbox.enabled !== true || env['SLUICE_SANDBOX_URL']) return config;
  const url = `http://127.0.0.1:${await expectedSandboxPort(config.dataDir, env)}`;
  return loadConfig({ env: { ...env, SLUICE_SANDBOX_URL: url }, cwd });
}

function configTable(shown: ConfigDescription, cwd: string): string {
  const rows: [string, string][] = [
    ['Config', shown.file ? shortenPath(shown.file, cwd) : 'none (defaults)'],
    ['API', [shown.server.url, shown.server.public_url].filter(Boolean).join(', for clients ')],
    ['Admin API', shown.server.admin_key ? 'on' : 'off'],
    ['Redis', `${shown.redis.url}, key prefix ${shown.redis.prefix}`],
    ['Data', shortenPath(shown.dataDir, cwd)],
    ['Content', shown.content.startsWith('s3:') ? shown.content : shortenPath(shown.content, cwd)],
    ['Sandbox', shown.sandbox ? 'on' : 'off'],
    ...shown.keys.map(({ name, models }) => row('API key', `${name} (${models?.join(', ') ?? 'all models'})`)),
    ...shown.upstreams.map((upstream) => row('Upstream', upstreamLine(upstream))),
    ...shown.disabledUpstreams.map(({ name, variable }) => row('Upstream off', `${name} (${variable} not set)`)),
    ...shown.models.map(({ id, routes }) => row('Model', `${id} → ${routes.join(', ')}`)),
    ...shown.disabledModels.map(({ id, variables }) => row('Model off', `${id} (${variables.join(', ')} not set)`)),
    ...shown.unpriced.map(({ key, models }) =>
      row('No price', `${models.join(', ')}: free for ${key}, although it has a budget`),
    ),
    ...Object.entries(shown.settings).map(([section, fields]) => row(section, fieldsLine(fields))),
  ];
  return rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join('\n');
}

function row(name: string, value: string): [string, string] {
  return [name, value];
}

function upstreamLine({
  name,
  kind,
  base_url,
  credentials,
  max_in_flight,
  max_submitting,
}: UpstreamDescription): string {
  const caps = `max_in_flight ${max_in_flight ?? 'none'}, max_submitting ${max_submitting}`;
  return `${name}: ${kind} at ${base_url} (${credentials.join(', ') || 'no credential'}; ${caps})`;
}

function fieldsLine(fields: object): string {
  const texts = Object.entries(fields).map(([name, value]) => `${name} ${[value].flat().join(' ') || 'none'}`);
  return texts.join(', ') || 'none';
}
