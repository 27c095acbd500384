import {
  type Config,
  ConfigError,
  type ConfigDescription,
  describeConfig,
  loadConfig,
  type UpstreamDescription,
} from '@sluice/config';
import { createPriceBook } from '@sluice/prices';
import { paint } from './terminal/paint.ts';
import { parseOptions } from './terminal/parse-options.ts';
import { printText } from './terminal/print-text.ts';
import { shortenPath } from './terminal/shorten-path.ts';
import { expectedSandboxPort } from './start/choose-sandbox-port.ts';

const USAGE = `Usage: sluice check [--json]

Prints the resolved configuration without secrets, or the file, line, and column of each mistake. --json prints it for
programs.
`;

/**
 * `sluice check`: prints the resolved configuration without secrets.
 * @returns the exit code
 * @throws {ConfigError | UsageError} if the configuration or an option is invalid
 */
export async function checkCommand(process: NodeJS.Process): Promise<number> {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { json, help } = parseOptions(process.argv.slice(3), options);
  if (help === true) return printText(process, USAGE);
  const cwd = process.cwd();
  try {
    const config = await loadAsStarted(process.env, cwd);
    const prices = createPriceBook(config);
    const shown = describeConfig(config, (model) => prices.hasCatalogPrices(model));
    return await printText(process, json === true ? jsonText(jsonFields(shown)) : `${configTable(shown, cwd)}\n`);
  } catch (error) {
    if (json !== true || !(error instanceof ConfigError)) throw error;
    await printText(process, jsonText({ valid: false, issues: error.issues }));
    return 1;
  }
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Uses the same top-level names as `sluice.yaml`. */
function jsonFields(shown: ConfigDescription): Record<string, unknown> {
  const fields = Object.entries(shown).map(([name, value]): [string, unknown] => [snakeCase(name), value]);
  return { valid: true, ...Object.fromEntries(fields) };
}

/** Loads the configuration as the API and the worker do. `sluice start` also sets the sandbox's URL for them. */
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
    ...shown.keys.map((key) => row('API key', keyLine(key))),
    ...shown.upstreams.map((upstream) => row('Upstream', upstreamLine(upstream))),
    ...shown.disabledUpstreams.map(({ name, variable }) => row('Upstream off', `${name} (${variable} not set)`)),
    ...shown.models.map(({ id, routes }) => row('Model', `${id} → ${routes.join(', ')}`)),
    ...shown.disabledModels.map(({ id, variables }) => row('Model off', `${id} (${variables.join(', ')} not set)`)),
    ...shown.unpriced.map(({ key, models }) =>
      row('No price', `${models.join(', ')}: free for ${key}, although it has a budget`),
    ),
    ...Object.entries(shown.settings).map(([section, fields]) => row(section, fieldsLine(fields))),
  ];
  return rows.map(([name, value]) => `${paint('dim', `  ${name}`.padEnd(16))}${value}`).join('\n');
}

function row(name: string, value: string): [string, string] {
  return [name, value];
}

function keyLine({ name, models, limits, budget }: ConfigDescription['keys'][number]): string {
  const caps = Object.entries(limits).map(([limit, value]) => `${limit} ${value}`);
  if (budget) caps.push(`budget $${budget.usd} ${budget.period === 'total' ? 'in total' : `a ${budget.period}`}`);
  return `${name} (${models?.join(', ') ?? 'all models'}; ${caps.join(', ') || 'no limits'})`;
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
