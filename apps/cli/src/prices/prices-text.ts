import type { Cost, Price, PriceSource } from '@sluice/prices';
import { priceFields } from '@sluice/prices';
import { alignColumns, alignTable } from '../terminal/align-columns.ts';
import { paint } from '../terminal/paint.ts';
import { priceDifferences } from './price-differences.ts';
import type { PriceRow } from './price-rows.ts';

/** The table of `sluice prices`. */
export function pricesTable(rows: readonly PriceRow[]): string {
  const cells = rows.map((row) => [
    row.model,
    `${row.upstream}/${row.upstreamModel}`,
    row.price ? shortPrice(row.price) : row.isPattern ? 'depends on the model' : 'unpriced',
    row.price ? shortSource(row.price.source) : '',
  ]);
  return alignTable(['MODEL', 'UPSTREAM', 'PRICE', 'SOURCE'], cells);
}

/** The text of `sluice prices --model`. */
export function priceExplanation(rows: readonly PriceRow[]): string {
  return rows.map(explain).join('\n\n');
}

/** The text of `sluice prices check`. */
export function checkText(rows: readonly PriceRow[], unpriced: readonly PriceRow[]): string {
  const missing = unpriced.map(({ model, upstream, upstreamModel }) => [
    model,
    `${upstream}/${upstreamModel}`,
    'no price',
  ]);
  const different = rows.flatMap((row) =>
    priceDifferences(row).map(({ field, configured, catalog }) => [
      row.model,
      `${row.upstream}/${row.upstreamModel}`,
      `${field}: ${valueText(configured)} in the configuration, ${valueText(catalog)} in the catalog`,
    ]),
  );
  const found = [...missing, ...different];
  return found.length > 0 ? alignColumns(found) : '  All models have a price, and no price differs from the catalog.';
}

function explain({ model, upstream, upstreamModel, isPattern, price, catalogPrice }: PriceRow): string {
  const title = paint('bold', `${model} at ${upstream} (${upstreamModel})`);
  if (!price) {
    const reason = isPattern
      ? 'The price depends on the name of the model. Name a model that matches the pattern.'
      : 'No price. Requests are `unpriced`, and budgets do not limit them. Set `price` in the configuration.';
    return `${title}\n  ${reason}`;
  }
  const rows: [string, string][] = [
    ...sourceRows(price.source),
    ...Object.entries(priceFields(price.rates)).map(([field, value]): [string, string] => [field, valueText(value)]),
  ];
  if (catalogPrice) rows.push(['catalog', `${shortPrice(catalogPrice)} (${shortSource(catalogPrice.source)})`]);
  return `${title}\n${alignColumns(rows)}${example(price)}`;
}

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };
const EXAMPLE = { inputTokens: 10_000, cachedTokens: 8_000, outputTokens: 1_000 };

/** Shows how a price is computed: one line per part, as in the ledger. */
function example(price: Price): string {
  const { tokens, audioSecond, images, video } = price.rates;
  const parts: string[] = [];
  if (tokens) {
    const title = '10,000 input tokens, of which 8,000 are cached, and 1,000 output tokens';
    parts.push(costText(title, price.costOf({ usage: EXAMPLE })));
  }
  if (audioSecond)
    parts.push(costText('a minute of transcribed audio', price.costOf({ usage: { ...NO_TOKENS, audioSeconds: 60 } })));
  if (images?.some(({ usd }) => usd > 0))
    parts.push(costText('one image of any size', price.costOf({ images: { count: 1 } })));
  if (video?.some(({ usd }) => usd > 0)) {
    parts.push(costText('a video of 5 seconds with the default resolution', price.costOf({ video: { seconds: 5 } })));
  }
  return parts
    .filter((part) => part !== '')
    .map((part) => `\n${part}`)
    .join('');
}

function costText(title: string, cost: Cost | undefined): string {
  if (!cost || cost.lines.length === 0) return '';
  const lines = cost.lines.map(({ unit, quantity, nanos }) => [
    `  ${quantity.toLocaleString('en-US')}`,
    unit,
    dollars(nanos / 1e9),
  ]);
  return `  Example: ${title}: ${dollars(cost.nanos / 1e9)}\n${alignColumns(lines)}`;
}

function sourceRows(source: PriceSource): [string, string][] {
  if (source.from === 'config') return [['source', 'the configuration']];
  return [
    ['source', `${source.catalog}, ${source.date}`],
    ...(source.url === undefined ? [] : [['page', source.url] satisfies [string, string]]),
    ...(source.via === undefined
      ? []
      : [['unchecked', `read in ${source.via}, and not compared with the page`] satisfies [string, string]]),
  ];
}

function shortSource(source: PriceSource): string {
  if (source.from === 'config') return 'configuration';
  return `${source.catalog}, ${source.date}${source.via === undefined ? '' : ', unchecked'}`;
}

/** The most important prices in one line. */
function shortPrice({ rates }: Price): string {
  const { tokens, characters, audioSecond, images = [], video = [], request } = rates;
  const parts = [
    tokens && (tokens.input > 0 || tokens.output > 0) && `${dollars(tokens.input)} in, ${dollars(tokens.output)} out`,
    characters && `${dollars(characters)}/M characters`,
    audioSecond && `${dollars(audioSecond)}/second of audio`,
    range(images, 'image'),
    range(video, 'second'),
    request && `${dollars(request)}/request`,
  ];
  return parts.filter(Boolean).join('; ') || 'free';
}

function range(rates: readonly { usd: number }[], unit: string): string | undefined {
  const usd = rates.map((rate) => rate.usd).filter((one) => one > 0);
  if (usd.length === 0) return undefined;
  const [low, high] = [Math.min(...usd), Math.max(...usd)];
  return `${low === high ? dollars(low) : `${dollars(low)}–${dollars(high)}`}/${unit}`;
}

/** Formats lists and objects like YAML in one line. */
function valueText(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value).replaceAll('"', '').replaceAll(/[:,]/g, '$& ');
}

/** Amounts have at most nine decimals. */
const DOLLARS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 9, useGrouping: false });

function dollars(amount: number): string {
  return `$${DOLLARS.format(amount)}`;
}
