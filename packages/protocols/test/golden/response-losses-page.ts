import type { UpstreamProtocol } from '../../src/index.ts';
import { completeUpstreamResponse, uniqueLeaves } from '../response-fuzz/random-response.ts';
import { isVisible, lossNameOf, translateResponse } from '../response-fuzz/translate-response.ts';
import { TEXT_PROTOCOLS, UPSTREAM_PROTOCOLS } from '../text-exchange.ts';

const TITLES: Readonly<Record<string, string>> = {
  'chat-completions': 'Chat completions',
  responses: 'Responses',
  messages: 'Messages',
  'generative-content': 'Generative content',
  converse: 'Converse',
};

const INTRO = `
# Losses in responses

Sluice also translates the upstream's response. The tables show the fields that vendors send. Fields with the result *dropped* are not in the
client's response. \`x-sluice-dropped\` then contains \`response.\` and the upstream's field. If the header names an object around the field, the
table shows this name in parentheses.

- A buffered response names its losses in the header \`x-sluice-dropped\`, after those of the request.
- A stream sends its headers before the response is known. It names the losses of the response in an HTTP trailer \`x-sluice-dropped\`
  after the last event. The header \`trailer: x-sluice-dropped\` announces it. Clients that do not read trailers ignore it. HTTP/1.0 has no trailers.
  If a keep-alive sends the headers before the upstream responds, the trailer also names the losses of the request.
- The log line of the request contains both.

Strict mode applies to requests only. When a response arrives, the vendor has already done its work.

The tables and the header omit ids, times, positions, padding, empty values, and fields that repeat the request. A new field that a vendor sends is
also reported. Reasoning that the client did not request is not a loss.
`;

export function responseLossesPage(): string {
  return INTRO + UPSTREAM_PROTOCOLS.map((upstream) => `\n${upstreamSection(upstream)}`).join('');
}

function upstreamSection(upstream: UpstreamProtocol): string {
  const clients = TEXT_PROTOCOLS.filter((client) => client !== upstream);
  const response = completeUpstreamResponse(upstream.name);
  const translated = clients.map((client) => translateResponse({ client, upstream, response, stream: false }));
  const rows = new Map<string, string[]>();
  const leaves = uniqueLeaves(response);
  const seen = leaves.filter((leaf) => translated.some((one) => isVisible(leaf, one))).map(({ name }) => name);
  for (const leaf of leaves) {
    const names = translated.map((one) => (isVisible(leaf, one) ? undefined : lossNameOf(leaf, one)));
    // If no client receives any of an object, the object has one row.
    const [first = leaf.name] = names;
    const isShared = names.every((name) => name === first) && !seen.some((name) => name.startsWith(first));
    const shared = isShared ? first : leaf.name;
    const cells = names.map((name) => {
      if (name === undefined) return 'carried';
      return name === shared ? 'dropped' : `dropped (\`${withoutRoot(name)}\`)`;
    });
    const before = rows.get(shared);
    // A field in several kinds of blocks is carried if one of them is.
    rows.set(shared, before ? before.map((cell, at) => (cell === 'carried' ? cell : (cells[at] ?? cell))) : cells);
  }
  return [
    `## ${TITLES[upstream.name]} upstreams\n\n`,
    `| Field | ${clients.map(({ name }) => `→ ${name}`).join(' | ')} |\n|---|${'---|'.repeat(clients.length)}\n`,
    ...[...rows].map(([field, cells]) => `| \`${withoutRoot(field)}\` | ${cells.join(' | ')} |\n`),
  ].join('');
}

function withoutRoot(name: string): string {
  return name.replace(/^response\./, '');
}
