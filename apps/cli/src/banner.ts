import { relative } from 'node:path';
import type { Config } from '@sluice/config';

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

/** The lines printed when everything is up: where things are, what is on, and three commands to paste. */
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
  const model = config.defaults.video_model ?? config.models[0]?.id;
  if (model === undefined) return [];
  const key = publicKey ?? 'YOUR_KEY';
  const auth = '-H "Authorization: Bearer $KEY"';
  // grep and cut are on every system; jq is not.
  const readId = `grep -o '"id": *"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
  return [
    '  Try it (in a second terminal):',
    `    export SLUICE=${apiUrl}/v1 KEY=${key}`,
    `    ID=$(curl -s $SLUICE/videos ${auth} -H "Prefer: wait=30" -F model=${model} -F prompt="a paper boat in the rain" | ${readId}); echo $ID`,
    `    curl $SLUICE/videos/$ID ${auth}`,
    `    curl $SLUICE/videos/$ID/content ${auth} -o boat.mp4`,
    '',
  ];
}

/** A path below the working folder as `./…`, others in full. */
export function shorten(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') || below.startsWith('/') ? path : `./${below}`;
}
