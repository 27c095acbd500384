import { GatewayError } from '@sluice/canonical';
import type { TextProtocol, UpstreamProtocol } from '../../src/index.ts';
import { readGolden } from './golden-files.ts';
import { responseLossesPage } from './response-losses-page.ts';
import {
  TEXT_PROTOCOLS,
  UPSTREAM_PROTOCOLS,
  createTarget,
  type TargetOptions,
  openExchange,
  sentText,
} from '../text-exchange.ts';

type Body = Record<string, unknown>;

/** A field that a client can send. */
export interface FieldCase {
  /** The field's name in its protocol. */
  field: string;
  /** The JSON that sets the field. */
  with: Body;
  /** Other JSON that the field requires. */
  requires?: Body;
}

/** The format of `golden/losses/<client>.json`, which lists every field that clients of a protocol can send. */
export interface LossCases {
  base: Body;
  fields: FieldCase[];
  blocks: FieldCase[];
}

export function readParams(client: string): LossCases {
  // The cast is safe because the file is written by hand.
  return JSON.parse(readGolden('losses', `${client}.json`) ?? '') as LossCases;
}

/** Models that support everything in their protocol. */
const MODELS: Readonly<Record<string, TargetOptions>> = {
  'chat-completions': { model: 'vendor-model' },
  responses: { model: 'vendor-model' },
  messages: { model: 'claude-sonnet-4-6' },
  converse: { model: 'anthropic.claude-sonnet-4-6' },
};

const TITLES: Readonly<Record<string, string>> = {
  'chat-completions': 'Chat completions',
  responses: 'Responses',
  messages: 'Messages',
  'generative-content': 'Generative content',
};

const INTRO = `# Losses

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- golden-matrix\`. -->

A loss is a part of a request that the upstream's protocol cannot express. If client and upstream speak the same protocol, Sluice
relays the request and loses nothing. Otherwise Sluice [translates](text.md#translation) the request. The tables on this page show the result
for each field.

| Result | Meaning |
|---|---|
| carried | Sluice sends the value in the upstream's field. |
| clamped | Sluice sends the nearest value that the upstream accepts. |
| replaced | Sluice sends a similar field. |
| dropped | Sluice does not send the field. |
| **refused** | Sluice returns 400 \`unsupported_parameter\`, because the response would have a different meaning without the field. |
| fetched | Sluice downloads the image and sends its bytes. |
| – | Sluice sends nothing, because the value is the upstream's default or Sluice handles the field. |

The response header \`x-sluice-dropped\` lists all clamped, replaced, and dropped fields, separated by commas. It also lists
fields that are in no table, such as a vendor's extensions, by their path (for example, \`tools[].novel\`). If the header has another name
for a field, the table shows this name in parentheses.

With \`strict: true\` on a model or a key ([configuration](../operate/configuration.md)), Sluice returns 400 for such a request. \`param\` is the
first loss.

The tables show models that support their complete protocol. Some models support less. For example, many reasoning models have no
\`temperature\`, and older models have no JSON schema. \`x-sluice-dropped\` lists these losses too. State that a vendor stores (files, cached
contents, and templates) is available only at that vendor.
`;

/** Renders the page, with the result of every field for each pair of protocols. */
export function lossesPage(): string {
  return INTRO + TEXT_PROTOCOLS.map((client) => `\n${clientSection(client)}`).join('') + responseLossesPage();
}

function clientSection(client: TextProtocol): string {
  const upstreams = UPSTREAM_PROTOCOLS.filter((upstream) => upstream !== client);
  const { base, fields, blocks } = readParams(client.name);
  const head = (what: string) =>
    `| ${what} | ${upstreams.map(({ name }) => `→ ${name}`).join(' | ')} |\n|---|${'---|'.repeat(upstreams.length)}\n`;
  const row = (params: FieldCase) =>
    `| \`${params.field}\` | ${upstreams.map((upstream) => outcome(client, upstream, base, params)).join(' | ')} |\n`;
  return [
    `## ${TITLES[client.name]} clients\n\n`,
    `${head('Field')}${fields.map(row).join('')}\n`,
    `${head('In the conversation')}${blocks.map(row).join('')}`,
  ].join('');
}

/** Returns what happens to a field at an upstream. */
export function outcome(client: TextProtocol, upstream: UpstreamProtocol, base: Body, params: FieldCase): string {
  const target = createTarget(upstream.name, MODELS[upstream.name]);
  const send = (body: Body) => {
    const exchange = openExchange({ client, upstream, target, body, stream: false });
    return { losses: exchange.losses, text: sentText(exchange) };
  };
  try {
    const without = send({ ...base, ...params.requires });
    const { losses, text } = send({ ...base, ...params.requires, ...params.with });
    const known = new Set(without.losses.map(({ field }) => field));
    const own = losses.filter(({ field }) => !known.has(field));
    if (own.length === 0) return text === without.text ? '–' : 'carried';
    // For example, `stop_sequences, five` tests the field `stop_sequences`.
    const [name] = params.field.split(/[ ,]/, 1);
    return [...new Set(own.map(({ field, how }) => (field === name ? how : `${how} (\`${field}\`)`)))].join(', ');
  } catch (error) {
    if (!(error instanceof GatewayError) || error.status !== 400) throw error;
    // For this protocol, which accepts no URLs, the API process downloads images before the translation.
    return error.param === 'image_url' ? 'fetched' : '**refused**';
  }
}
