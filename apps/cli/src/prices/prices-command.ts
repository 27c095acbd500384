import { isOfSandbox, loadConfig, modelCatalog } from '@sluice/config';
import { createPriceBook, priceFields } from '@sluice/prices';
import { printText } from '../terminal/print-text.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { priceDifferences } from './price-differences.ts';
import { allPrices, type PriceRow, pricesOf } from './price-rows.ts';
import { parsePricesArguments } from './prices-arguments.ts';
import { checkText, priceExplanation, pricesTable } from './prices-text.ts';

const USAGE = `Usage: sluice prices [check] [--model ID] [--json]

  sluice prices              list the prices of the configured models, and where they come from
  sluice prices --model ID   explain how the cost of a model is computed
  sluice prices check        report models without a price, and prices that differ from the catalog; exits with 1 if a
                             model has no price

Prices are in US dollars, per million tokens. They change only with the configuration or a new version of Sluice.
`;

/**
 * `sluice prices`: shows the prices of the configured models. It needs neither Redis nor the network.
 * @returns the exit code
 * @throws {ConfigError | UsageError} if the configuration or an option is invalid
 */
export async function pricesCommand(process: NodeJS.Process): Promise<number> {
  const { operation, model, json, help } = parsePricesArguments(process.argv.slice(3));
  if (help) return printText(process, USAGE);
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const book = createPriceBook(config);
  const print = (data: unknown, text: string): Promise<number> =>
    printText(process, json ? `${JSON.stringify(data, undefined, 2)}\n` : `${text}\n`);

  if (operation === 'check') {
    const charged = { ...config, models: config.models.filter((one) => !isOfSandbox(one)) };
    const rows = allPrices(charged, book);
    const unpriced = rows.filter(({ price, isPattern }) => !price && !isPattern);
    const differences = rows.flatMap((row) => priceDifferences(row).map((one) => Object.assign(namesOf(row), one)));
    await print({ unpriced: unpriced.map(namesOf), differences }, checkText(rows, unpriced));
    return unpriced.length > 0 ? 1 : 0;
  }
  const rows = model === undefined ? allPrices(config, book) : pricesOf(config, book, model);
  if (!rows) {
    const near = modelCatalog(config).near(model ?? '');
    const hint = near.length > 0 ? ` Similar models: ${near.map((id) => `\`${id}\``).join(', ')}.` : '';
    throw new UsageError(`The configuration has no model \`${model}\`.${hint}`);
  }
  const list = { object: 'list', data: rows.map(jsonRow) };
  return print(list, model === undefined ? pricesTable(rows) : priceExplanation(rows));
}

function namesOf({ model, upstream, upstreamModel }: PriceRow): Record<string, string> {
  return { model, upstream, upstream_model: upstreamModel };
}

function jsonRow(row: PriceRow): Record<string, unknown> {
  const { price, catalogPrice, isPattern } = row;
  const fields = { ...namesOf(row), catalog_price: catalogPrice && priceFields(catalogPrice.rates) };
  if (!price) return { ...fields, status: isPattern ? 'depends_on_model' : 'unpriced' };
  return { ...fields, status: price.source.from, source: price.source, price: priceFields(price.rates) };
}
