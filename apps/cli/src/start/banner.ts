import { capabilitiesOfModel, type Config, isEmbeddedRedis, modelCatalog, type ModelCapability } from '@sluice/config';
import { paint } from '../terminal/paint.ts';
import { shortenPath } from '../terminal/shorten-path.ts';
import { wrapText } from './wrap-text.ts';

export interface BannerFacts {
  version: string;
  /** Time since the process started, in milliseconds. */
  readyMs: number;
  /** The API's URL (e.g. `http://127.0.0.1:8080`). */
  apiUrl: string;
  redis: string;
  /** The documented default key. Undefined if keys are configured. */
  publicKey: string | undefined;
  cwd: string;
  /** The terminal's width in columns. */
  columns: number;
}

/** Maximum number of models shown per capability. */
const MODELS_SHOWN = 6;
/** Minimum width in columns. A narrower terminal wraps the commands anyway. */
const MIN_WIDTH = 60;
const LABEL_WIDTH = 14;

/** Returns the text to print when all processes are ready: addresses, capabilities, and a few commands to copy. */
export function banner(config: Config, facts: BannerFacts): string {
  const { apiUrl, publicKey, cwd } = facts;
  const width = Math.max(facts.columns, MIN_WIDTH);
  const field = (label: string, value: string) =>
    paint('dim', `  ${label}`.padEnd(LABEL_WIDTH)) + wrapText(value, width, LABEL_WIDTH);
  const title = `Sluice ${facts.version}`;
  const keys = `${config.keys.length} configured: ${config.keys.map(({ name }) => name).join(', ')}`;
  const remedy = config.file ? 'change it in the configuration' : 'set SLUICE_KEY to change it';
  const privateRedis = isEmbeddedRedis(config) ? ' and its private Redis' : '';
  const end = `Ctrl-C stops the gateway${privateRedis}. Tasks in flight resume at the next start.`;
  return [
    '',
    `  ${paint('bold', title)}${' '.repeat(Math.max(1, 58 - title.length))}ready in ${(facts.readyMs / 1000).toFixed(1)} s`,
    '',
    field('API', paint('cyan', `${apiUrl}/v1`)),
    field('Console', paint('cyan', `${apiUrl}/console`)),
    field('API docs', paint('cyan', `${apiUrl}/docs`)),
    field('API key', publicKey ? `${publicKey} (for this machine only; ${remedy})` : keys),
    '',
    field('Redis', facts.redis),
    field('Workers', `1 process, up to ${config.tasks.concurrency} concurrent steps for each upstream`),
    field('Upstreams', upstreamsLine(config)),
    field('Models', modelsLine(config)),
    field('Data', shortenPath(config.dataDir, cwd)),
    field('Config', config.file ? shortenPath(config.file, cwd) : 'none (defaults)'),
    '',
    ...tryLines(config, apiUrl, publicKey),
    `  ${wrapText(end, width, 2)}`,
    '',
  ].join('\n');
}

/** Lists the enabled upstreams, and the missing environment variable of each disabled one. */
function upstreamsLine(config: Config): string {
  const on = Object.keys(config.upstreams).map((name) => `${name} on`);
  const off = config.disabledUpstreams.map(({ name, variable }) => `${name} off (${variable} not set)`);
  return [...on, ...off].join(' · ') || 'none';
}

/**
 * Shortens long lists, because OpenAI and Google upstreams have nearly all capabilities. Other kinds have one or two.
 */
function formatCapabilities(capabilities: readonly ModelCapability[]): string {
  return capabilities.length > 2 ? `${capabilities[0]} and more` : capabilities.join(' or ');
}

/** Lists the models by capability. */
function modelsLine(config: Config): string {
  const groups = Map.groupBy(config.models, (model) => formatCapabilities(capabilitiesOfModel(config, model)));
  const lists = [...groups].map(([capabilities, models]) => {
    const more = models.length - MODELS_SHOWN;
    const shown = models.slice(0, MODELS_SHOWN).map(({ id }) => id);
    return `${capabilities}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return lists.join(' · ') || 'none';
}

function tryLines(config: Config, apiUrl: string, publicKey: string | undefined): string[] {
  const { text, video, image } = modelsToTry(config);
  const auth = '-H "Authorization: Bearer $KEY"';
  const commands = [
    ...(text === undefined ? [] : textLines(text, auth)),
    ...(video === undefined ? [] : videoLines(video, auth)),
    // At most three commands are shown. The two video commands take precedence over the image command.
    ...(image === undefined || video !== undefined ? [] : imageLines(image, auth)),
  ];
  if (commands.length === 0) return [];
  const settings = `    export SLUICE=${apiUrl} KEY=${publicKey ?? 'YOUR_KEY'}`;
  return ['  Try it (in a second terminal):', settings, ...commands, ''];
}

/**
 * Selects models for a text, a video, and an image request: the default model if an upstream serves it, otherwise the
 * first model with a literal name. Models that only generate videos are preferred. For images, only the default is
 * used.
 */
function modelsToTry(config: Config): Partial<Record<ModelCapability, string | undefined>> {
  const catalog = modelCatalog(config);
  const served = (id: string | undefined) => (id !== undefined && catalog.find(id) ? id : undefined);
  const models = catalog.list().map((model) => ({ id: model.id, capabilities: capabilitiesOfModel(config, model) }));
  const videos = models.filter(({ capabilities }) => capabilities.includes('video'));
  const preferred = videos.find(({ capabilities }) => capabilities.length === 1) ?? videos[0];
  return {
    text: models.find(({ capabilities }) => capabilities.includes('text'))?.id,
    video: served(config.defaults.video_model) ?? preferred?.id,
    image: served(config.defaults.image_model),
  };
}

const JSON_TYPE = '-H "Content-Type: application/json"';

function textLines(model: string, auth: string): string[] {
  return [
    `    curl -N $SLUICE/v1/chat/completions ${auth} \\`,
    `      ${JSON_TYPE} \\`,
    `      -d '{"model": ${JSON.stringify(model)}, "stream": true,`,
    `           "messages": [{"role": "user", "content": "Hello!"}]}'`,
  ];
}

function videoLines(model: string, auth: string): string[] {
  return [
    `    ID=$(curl -s $SLUICE/v1/videos ${auth} \\`,
    `      -H "Prefer: wait=30" -F model=${model} \\`,
    '      -F prompt="a paper boat in the rain" |',
    // grep and cut are available everywhere, jq is not.
    `      grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4); echo $ID`,
    `    curl $SLUICE/v1/videos/$ID/content ${auth} \\`,
    '      -o boat.mp4',
  ];
}

function imageLines(model: string, auth: string): string[] {
  return [
    `    curl $SLUICE/v1/images/generations ${auth} \\`,
    `      ${JSON_TYPE} \\`,
    `      -d '{"model": ${JSON.stringify(model)}, "prompt": "a paper boat in the rain"}'`,
  ];
}
