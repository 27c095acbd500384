import { GatewayError } from '@sluice/canonical';
import type { TextProtocol } from '../src/index.ts';
import { readGolden } from './golden-files.ts';
import { LANES, laneTarget, type LaneTarget, openLane, sentText } from './text-lanes.ts';

type Body = Record<string, unknown>;

/** One thing that a client can ask for. */
export interface Wish {
  /** As its protocol spells it. */
  field: string;
  /** The members that ask for it. */
  with: Body;
  /** Members without which it means nothing. */
  beside?: Body;
}

/** `golden/losses/<client>.json`: everything that a client of a protocol can ask for, once each. */
export interface Wishes {
  base: Body;
  fields: Wish[];
  blocks: Wish[];
}

/** Reads the wishes of a client protocol. */
export function readParams(client: string): Wishes {
  return JSON.parse(readGolden('losses', `${client}.json`) ?? '') as Wishes; // written by hand
}

/** Models that their protocol's rules alone apply to. */
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

const INTRO = `# What is lost between protocols

When a client and an upstream speak the same protocol, Sluice passes the request on as it is and nothing is lost. When they
speak different ones, it says the same in the other's words. Some things have no words there; these tables tell which.

| Word | Meaning |
|---|---|
| carried | The upstream is asked for it, in its own words. |
| clamped | Moved to the nearest value that the upstream takes. |
| replaced | Said in another way that comes close. |
| dropped | Left out. |
| **refused** | The request gets status 400, code \`unsupported_parameter\`, since without it the answer would mean something else. |
| fetched | Sluice fetches the picture, by the rules for downloads, and sends its bytes. |
| – | Nothing to carry: it is what the upstream does anyway, or Sluice sees to it itself. |

Every answer names what was clamped, replaced or dropped in the header \`x-sluice-dropped\`, separated by commas; where it
goes by another name there than the row, the name stands behind the word. With \`strict: true\` on a model or a key
([configuration](../operate/configuration.md)) such a request is refused with status 400 instead, and \`param\` names the first of them.

A model may take less than its protocol: models that think often take no \`temperature\`, older ones no JSON schema. What is
left out for that reason stands in \`x-sluice-dropped\` too, but not here: the tables were made with models that take what
their protocol has. State that lies at a vendor (files, cached contents, templates) can only be reached at that vendor.

This page is written by a test from what the protocols do: \`SLUICE_GOLDEN=write npx vitest run golden-matrix\`.
`;

/** Writes the page: for each of the twelve pairs, what becomes of everything that a client can ask for. */
export function lossesPage(): string {
  return INTRO + LANES.map((client) => `\n${clientSection(client)}`).join('');
}

function clientSection(client: TextProtocol): string {
  const upstreams = LANES.filter((upstream) => upstream !== client);
  const { base, fields, blocks } = readParams(client.name);
  const head = (what: string) =>
    `| ${what} | ${upstreams.map(({ name }) => `→ ${name}`).join(' | ')} |\n|---|${'---|'.repeat(upstreams.length)}\n`;
  const row = (params: Wish) =>
    `| \`${params.field}\` | ${upstreams.map((upstream) => fate(client, upstream, base, params)).join(' | ')} |\n`;
  return [
    `## ${TITLES[client.name]} clients\n\n`,
    `${head('Field')}${fields.map(row).join('')}\n`,
    `${head('In the conversation')}${blocks.map(row).join('')}`,
  ].join('');
}

/** What becomes of a wish at an upstream. */
export function fate(client: TextProtocol, upstream: TextProtocol, base: Body, params: Wish): string {
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
    // The API process fetches pictures before it translates for this protocol, which takes no URLs.
    return error.param === 'image_url' ? 'fetched' : '**refused**';
  }
}
