import type { Vendor } from '@sluice/api/responses';

/** Characters of YAML text that needs no quotes. */
const PLAIN = /^[A-Za-z][\w./-]*$/;

type Route = Vendor['models'][number]['routes'][number];

/**
 * Returns the lines of `sluice.yaml` for a vendor.
 * @param models the models to serve; if there are none, the patterns of all models of the vendor
 */
export function vendorLines({ name, upstreams, models: patterns }: Vendor, models: readonly string[]): string {
  const served =
    models.length === 0
      ? patterns
      : models.map((id) => ({ id, routes: routesOf(id, patterns) ?? [{ upstream: name, model: id }] }));
  return [
    ...(Object.keys(upstreams).length === 0 ? [] : ['upstreams:', ...Object.entries(upstreams).flatMap(upstreamLines)]),
    ...(served.length === 0 ? [] : ['models:', ...served.map(modelLine)]),
  ].join('\n');
}

function upstreamLines([name, { quirks, ...fields }]: [string, Vendor['upstreams'][string]]): string[] {
  return [
    `  ${name}:`,
    ...Object.entries(fields).map(([field, value]) => `    ${field}: ${scalar(value)}`),
    ...(quirks === undefined ? [] : [`    quirks: { ${pairs(quirks)} }`]),
  ];
}

function modelLine({ id, routes }: { id: string; routes: readonly Route[] }): string {
  const listed = routes.map(({ upstream, model }) => `{ upstream: ${scalar(upstream)}, model: ${scalar(model)} }`);
  return `  - { id: ${scalar(id)}, routes: [${listed.join(', ')}] }`;
}

/** Returns the routes of the first pattern that a name matches. The rest of the pattern's model stays. */
function routesOf(id: string, patterns: Vendor['models']): Route[] | undefined {
  const found = patterns.find((pattern) => pattern.id.endsWith('*') && id.startsWith(pattern.id.slice(0, -1)));
  return found?.routes.map(({ upstream }) => ({ upstream, model: id }));
}

function pairs(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(([field, value]) => `${field}: ${typeof value === 'string' ? scalar(value) : JSON.stringify(value)}`)
    .join(', ');
}

/** JSON text is also YAML. */
function scalar(value: string): string {
  return PLAIN.test(value) || /^https:\/\/[\w./-]+$/.test(value) ? value : JSON.stringify(value);
}
