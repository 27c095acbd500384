import { relative } from 'node:path';
import { capabilitiesOfModel, type Config, modelCatalog, type ModelCapability } from '@sluice/config';

export interface BannerFacts {
  version: string;
  /** Milliseconds since the start of this process. */
  readyMs: number;
  /** The API's URL, such as `http://127.0.0.1:8080`. */
  apiUrl: string;
  redis: string;
  /** The documented default key; absent if keys were configured. */
  publicKey: string | undefined;
  cwd: string;
}

/** Models shown per capability. */
const MODELS_SHOWN = 6;

/** Printed when every part is ready: addresses, capabilities, and a few commands to paste. */
export function banner(config: Config, facts: BannerFacts): string {
  const { apiUrl, publicKey } = facts;
  const title = `Sluice ${facts.version}`;
  const keys = `${config.keys.length} configured: ${config.keys.map(({ name }) => name).join(', ')}`;
  return [
    '',
    `  ${title.padEnd(58)}ready in ${(facts.readyMs / 1000).toFixed(1)} s`,
    '',
    `  API         ${apiUrl}/v1`,
    `  API docs    ${apiUrl}/docs`,
    `  API key     ${publicKey ? `${publicKey}      (for this machine only; set SLUICE_KEY to change it)` : keys}`,
    '',
    `  Redis       ${facts.redis}`,
    `  Workers     1 process, up to ${config.tasks.concurrency} concurrent steps for each upstream`,
    `  Upstreams   ${upstreamsLine(config)}`,
    `  Models      ${modelsLine(config)}`,
    `  Data        ${shortenPath(config.dataDir, facts.cwd)}    Config  ${config.file ? shortenPath(config.file, facts.cwd) : 'none (defaults)'}`,
    '',
    ...tryLines(config, apiUrl, publicKey),
    `  Ctrl-C stops the gateway${config.redis.url === 'embedded' ? ' and its private Redis' : ''}. Tasks in flight resume at the next start.`,
    '',
  ].join('\n');
}

/** Enabled upstreams, and the missing variable of disabled ones. */
function upstreamsLine(config: Config): string {
  const on = Object.keys(config.upstreams).map((name) => `${name} on`);
  const off = config.disabledUpstreams.map(({ name, variable }) => `${name} off (${variable} not set)`);
  return [...on, ...off].join(' · ') || 'none';
}

/** OpenAI and Google upstreams serve nearly everything; other kinds serve one or two capabilities. */
function formatCapabilities(capabilities: readonly ModelCapability[]): string {
  return capabilities.length > 2 ? `${capabilities[0]} and more` : capabilities.join(' or ');
}

/** Models, grouped by capability. */
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
    ...(text === undefined ? [] : [textLine(text, auth)]),
    ...(video === undefined ? [] : videoLines(video, auth)),
    // Three commands are enough; the two for a video come first.
    ...(image === undefined || video !== undefined ? [] : [imageLine(image, auth)]),
  ];
  if (commands.length === 0) return [];
  const settings = `    export SLUICE=${apiUrl} KEY=${publicKey ?? 'YOUR_KEY'}`;
  return ['  Try it (in a second terminal):', settings, ...commands, ''];
}

/**
 * Models for a text, video, and image request: the defaults if they are served, otherwise the first model with a
 * literal name. Models that generate only videos are preferred. Only a default identifies an image model.
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

function textLine(model: string, auth: string): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello!' }] });
  return `    curl -N $SLUICE/v1/chat/completions ${auth} -H "Content-Type: application/json" -d '${body}'`;
}

function videoLines(model: string, auth: string): string[] {
  // grep and cut are available everywhere; jq is not.
  const readId = `grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    `    ID=$(curl -s $SLUICE/v1/videos ${auth} -H "Prefer: wait=30" -F model=${model} -F prompt="a paper boat in the rain" | ${readId}); echo $ID`,
    `    curl $SLUICE/v1/videos/$ID/content ${auth} -o boat.mp4`,
  ];
}

function imageLine(model: string, auth: string): string {
  const body = JSON.stringify({ model, prompt: 'a paper boat in the rain' });
  return `    curl $SLUICE/v1/images/generations ${auth} -H "Content-Type: application/json" -d '${body}'`;
}

/** Shortens a path below the working folder to `./…`. */
export function shortenPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') || below.startsWith('/') ? path : `./${below}`;
}
