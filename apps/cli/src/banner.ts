import { relative } from 'node:path';
import { type Config, isTextKind } from '@sluice/config';

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

function tryLines(config: Config, apiUrl: string, publicKey: string | undefined): string[] {
  const text = modelFor(config, isTextKind);
  const video = config.defaults.video_model ?? modelFor(config, (kind) => !isTextKind(kind));
  if (text === undefined && video === undefined) return [];
  const auth = '-H "Authorization: Bearer $KEY"';
  return [
    '  Try it (in a second terminal):',
    `    export SLUICE=${apiUrl}/v1 KEY=${publicKey ?? 'YOUR_KEY'}`,
    ...(text === undefined ? [] : [askLine(text, auth)]),
    ...(video === undefined ? [] : filmLines(video, auth)),
    '',
  ];
}

/** The first model with a name of its own that an upstream of a fitting kind serves. */
function modelFor({ models, upstreams }: Config, fits: (kind: string) => boolean): string | undefined {
  const found = models.find(({ id, routes }) => {
    const kind = upstreams[routes[0]?.upstream ?? '']?.kind;
    return !id.includes('*') && kind !== undefined && fits(kind);
  });
  return found?.id;
}

function askLine(model: string, auth: string): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Hello!' }] });
  return `    curl -N $SLUICE/chat/completions ${auth} -H "Content-Type: application/json" -d '${body}'`;
}

function filmLines(model: string, auth: string): string[] {
  // grep and cut are on every system; jq is not.
  const readId = `grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    `    ID=$(curl -s $SLUICE/videos ${auth} -H "Prefer: wait=30" -F model=${model} -F prompt="a paper boat in the rain" | ${readId}); echo $ID`,
    `    curl $SLUICE/videos/$ID/content ${auth} -o boat.mp4`,
  ];
}

/** A path below the working folder as `./…`, others in full. */
export function shorten(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') || below.startsWith('/') ? path : `./${below}`;
}
