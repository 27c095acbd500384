import { relative } from 'node:path';
import { capabilitiesOfModel, type Config, modelCatalog, type ModelCapability } from '@sluice/config';

/** What the banner tells beside the configuration. */
export interface BannerFacts {
  version: string;
  /** From the start of this process, milliseconds. */
  readyMs: number;
  /** Where the API listens, such as `http://127.0.0.1:8080`. */
  apiUrl: string;
  /** The Redis line. */
  redis: string;
  /** A key that may be shown: the one that everybody knows; absent when keys were configured. */
  publicKey: string | undefined;
  cwd: string;
}

/** How many models of a sort the banner names. */
const MODELS_SHOWN = 6;

/** The lines printed when everything is up: where things are, what is on, and a few commands to paste. */
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
    `  Workers     1 process, up to ${config.tasks.concurrency} steps at once for each upstream`,
    `  Upstreams   ${upstreamsLine(config)}`,
    `  Models      ${modelsLine(config)}`,
    `  Data        ${shorten(config.dataDir, facts.cwd)}    Config  ${config.file ? shorten(config.file, facts.cwd) : 'none (defaults)'}`,
    '',
    ...tryLines(config, apiUrl, publicKey),
    `  Ctrl-C stops the gateway${config.redis.url === 'embedded' ? ' and its private Redis' : ''}. Tasks in flight go on at the next start.`,
    '',
  ].join('\n');
}

/** Which upstreams are on, and for those that are off, what is missing. */
function upstreamsLine(config: Config): string {
  const on = Object.keys(config.upstreams).map((name) => `${name} on`);
  const off = config.disabledUpstreams.map(({ name, variable }) => `${name} off (${variable} not set)`);
  return [...on, ...off].join(' · ') || 'none';
}

/** Most kinds of upstream serve one thing or two, those of OpenAI's and Google's protocols nearly everything. */
function formatCapabilities(made: readonly ModelCapability[]): string {
  return made.length > 2 ? `${made[0]} and more` : made.join(' or ');
}

/** Which models there are, by what they can be asked for. */
function modelsLine(config: Config): string {
  const groups = Map.groupBy(config.models, (model) => formatCapabilities(capabilitiesOfModel(config, model)));
  const lists = [...groups].map(([made, models]) => {
    const more = models.length - MODELS_SHOWN;
    const shown = models.slice(0, MODELS_SHOWN).map(({ id }) => id);
    return `${made}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return lists.join(' · ') || 'none';
}

function tryLines(config: Config, apiUrl: string, publicKey: string | undefined): string[] {
  const { text, video, image } = modelsToTry(config);
  const auth = '-H "Authorization: Bearer $KEY"';
  const commands = [
    ...(text === undefined ? [] : [askLine(text, auth)]),
    ...(video === undefined ? [] : videoLines(video, auth)),
    // Beside a video's two there is no room for it: three commands are enough to begin with.
    ...(image === undefined || video !== undefined ? [] : [drawLine(image, auth)]),
  ];
  if (commands.length === 0) return [];
  const settings = `    export SLUICE=${apiUrl} KEY=${publicKey ?? 'YOUR_KEY'}`;
  return ['  Try it (in a second terminal):', settings, ...commands, ''];
}

/**
 * Models to ask for text, a video and an image: the defaults, if they are served, else the first with names of their
 * own. One that may make something else than videos is second choice; which model draws, only a default tells.
 */
function modelsToTry(config: Config): Partial<Record<ModelCapability, string | undefined>> {
  const catalog = modelCatalog(config);
  const served = (id: string | undefined) => (id !== undefined && catalog.find(id) ? id : undefined);
  const named = catalog.list().map((model) => ({ id: model.id, made: capabilitiesOfModel(config, model) }));
  const videos = named.filter(({ made }) => made.includes('video'));
  const surely = videos.find(({ made }) => made.length === 1) ?? videos[0];
  return {
    text: named.find(({ made }) => made.includes('text'))?.id,
    video: served(config.defaults.video_model) ?? surely?.id,
    image: served(config.defaults.image_model),
  };
}

function askLine(model: string, auth: string): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello!' }] });
  return `    curl -N $SLUICE/v1/chat/completions ${auth} -H "Content-Type: application/json" -d '${body}'`;
}

function videoLines(model: string, auth: string): string[] {
  // grep and cut are on every system; jq is not.
  const readId = `grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    `    ID=$(curl -s $SLUICE/v1/videos ${auth} -H "Prefer: wait=30" -F model=${model} -F prompt="a paper boat in the rain" | ${readId}); echo $ID`,
    `    curl $SLUICE/v1/videos/$ID/content ${auth} -o boat.mp4`,
  ];
}

function drawLine(model: string, auth: string): string {
  const body = JSON.stringify({ model, prompt: 'a paper boat in the rain' });
  return `    curl $SLUICE/v1/images/generations ${auth} -H "Content-Type: application/json" -d '${body}'`;
}

/** A path below the working folder as `./…`, others in full. */
export function shorten(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') || below.startsWith('/') ? path : `./${below}`;
}
