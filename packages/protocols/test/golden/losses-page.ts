import { GatewayError } from '@sluice/canonical';
import type { TextProtocol } from '../../src/index.ts';
import { readGolden } from './golden-files.ts';
import { LANES, laneTarget, type LaneTarget, openLane, sentText } from '../text-lanes.ts';

type Body = Record<string, unknown>;

/** One field that a client can send. */
export interface FieldCase {
  /** The name in its protocol. */
  field: string;
  /** The members that set it. */
  with: Body;
  /** Further members that it requires. */
  beside?: Body;
}

/** `golden/losses/<client>.json`: every field that a client of a protocol can send, once each. */
export interface LossCases {
  base: Body;
  fields: FieldCase[];
  blocks: FieldCase[];
}

export function readParams(client: string): LossCases {
  return JSON.parse(readGolden('losses', `${client}.json`) ?? '') as LossCases; // written by hand
}

/** Models without restrictions beyond their protocol's. */
const MODELS: Readonly<Record<string, LaneTarget>> = {
  'chat-completions': { model: 'vendor-model' },
  responses: { model: 'vendor-model' },
  messages: { model: 'claude-sonnet-4-6' },
};

const TITLES: Readonly<Record<string, string>> = {
  'chat-completions': 'Chat completions',
  responses: 'Responses',
  messages: 'Messages',
  'generative-content': 'Generative content',
};

const INTRO = `# Losses

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- golden-matrix\`. -->

A loss is a part of a request that the upstream's protocol cannot carry. If client and upstream speak the same protocol, Sluice
relays the request and loses nothing. Otherwise it [translates](text.md#relay-and-translation); these tables list the result of each field.

| Result | Meaning |
|---|---|
| carried | Translated to the upstream's field. |
| clamped | Moved to the nearest value that the upstream accepts. |
| replaced | Expressed in another way that comes close. |
| dropped | Left out. |
| **refused** | 400 \`unsupported_parameter\`, because the response would mean something else without it. |
| fetched | Sluice downloads the image and sends its bytes. |
| – | Nothing to carry: it is the upstream's default, or Sluice handles it. |

The \`x-sluice-dropped\` header names everything clamped, replaced, or dropped, separated by commas. If the header uses another name than the
row, the table shows it in parentheses. With \`strict: true\` on a model or a key ([configuration](../operate/configuration.md)), Sluice returns 400
instead, and \`param\` names the first loss.

The tables assume models that support everything in their protocol. A model that supports less (no \`temperature\` for many reasoning models, no
JSON schema for older ones) loses more, and \`x-sluice-dropped\` names that too. State stored at a vendor (files, cached contents,
templates) is available only at that vendor.
`;

/** Writes the page: for each of the twelve pairs, the result of every field. */
export function lossesPage(): string {
  return INTRO + LANES.map((client) => `\n${clientSection(client)}`).join('');
}

function clientSection(client: TextProtocol): string {
  const upstreams = LANES.filter((upstream) => upstream !== client);
  const { base, fields, blocks } = readParams(client.name);
  const head = (what: string) =>
    `| ${what} | ${upstreams.map(({ name }) => `→ ${name}`).join(' | ')} |\n|---|${'---|'.repeat(upstreams.length)}\n`;
  const row = (params: FieldCase) =>
    `| \`${params.field}\` | ${upstreams.map((upstream) => fate(client, upstream, base, params)).join(' | ')} |\n`;
  return [
    `## ${TITLES[client.name]} clients\n\n`,
    `${head('Field')}${fields.map(row).join('')}\n`,
    `${head('In the conversation')}${blocks.map(row).join('')}`,
  ].join('');
}

/** The result of a field at an upstream. */
export function fate(client: TextProtocol, upstream: TextProtocol, base: Body, params: FieldCase): string {
  const target = laneTarget(upstream.name, MODELS[upstream.name]);
  const send = (body: Body) => {
    const exchange = openLane({ client, upstream, target, body, stream: false });
    return { losses: exchange.losses, text: sentText(exchange) };
  };
  try {
    const without = send({ ...base, ...params.beside });
    const { losses, text } = send({ ...base, ...params.beside, ...params.with });
    const known = new Set(without.losses.map(({ field }) => field));
    const own = losses.filter(({ field }) => !known.has(field));
    if (own.length === 0) return text === without.text ? '–' : 'carried';
    // `stop_sequences, five` is about `stop_sequences`.
    const [name] = params.field.split(/[ ,]/, 1);
    return [...new Set(own.map(({ field, how }) => (field === name ? how : `${how} (\`${field}\`)`)))].join(', ');
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 400) throw error;
    // The API process downloads images before it translates for this protocol, which accepts no URLs.
    return error.param === 'image_url' ? 'fetched' : '**refused**';
  }
}
