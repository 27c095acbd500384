import { type ListedModel, MANIFESTS, type VendorCatalog, type VendorManifest } from '../src/index.ts';

const HEAD = `# Vendors and models

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- vendors-docs\`. -->

This page lists the vendor catalogs in \`packages/vendors/src\`. They describe each kind of upstream and its models as data. Sluice uses them to
convert a request to the vendor's parameters.

## Kinds

The base URL is a path at the address of the [sandbox](sandbox.md). For example, \`/kling\` is \`http://127.0.0.1:8079/kling\`.

| Kind | Capabilities | Base URL in the sandbox | Sources |
|---|---|---|---|
`;

const MODELS = `
## Models

The first column contains a prefix of model names, such as \`gemini-…\`, or a regular expression. Sluice uses the first row that matches a model's
name. If no row matches, Sluice passes the values that the client requested.

An empty cell means that the catalog does not limit the value, or that the vendor's API does not have the field. The column "Images" contains the
maximum number of input images for each role. The column "Prompt" contains the maximum number of characters.
`;

/** Returns the text of docs/extend/sandbox-vendors.md. */
export function vendorsPage(): string {
  const kinds = MANIFESTS.map((manifest: VendorManifest) => {
    const sources = (manifest.sources ?? []).join('; ');
    const { kind, capabilities, sandboxPath } = manifest;
    return `| \`${kind}\` | ${capabilities.join(', ')} | \`${sandboxPath || '/'}\` | ${sources} |\n`;
  });
  const tables = MANIFESTS.flatMap(({ kind, catalogs = [] }: VendorManifest) =>
    catalogs.map((catalog) => tableOf(kind, catalog)),
  );
  return HEAD + kinds.join('') + MODELS + tables.join('');
}

function tableOf(kind: string, { title, models }: VendorCatalog): string {
  const head = `\n### \`${kind}\`: ${title}\n\n| Models | Seconds | Resolutions | Aspect ratios or sizes | Images | Prompt |\n|---|---|---|---|---|---|\n`;
  return head + models.map(([name, model]) => rowOf(name, model)).join('');
}

function rowOf(name: string | RegExp, model: ListedModel): string {
  const shown = typeof name === 'string' ? `${name}…` : name.source;
  const frames = model.frames ?? model.sizes ?? model.aspectRatios ?? model.ratios;
  const images = Object.entries(model.images ?? {}).map(([role, count]) =>
    count === Number.POSITIVE_INFINITY ? `${role} any` : `${role} ${count}`,
  );
  const cells = [
    `\`${shown.replaceAll('|', '\\|')}\``,
    secondsOf(model.seconds),
    namesOf(model.resolutions ?? model.tiers),
    namesOf(frames),
    images.join(', '),
    model.maxPrompt === undefined ? '' : String(model.maxPrompt),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function secondsOf(seconds: ListedModel['seconds']): string {
  if (seconds === undefined || typeof seconds === 'string') return seconds ?? '';
  const [min = 0] = seconds;
  const max = seconds.at(-1) ?? 0;
  const isRange = seconds.length > 2 && max - min === seconds.length - 1;
  return isRange ? `${min} to ${max}` : seconds.join(', ');
}

function namesOf(values: unknown): string {
  const names = Array.isArray(values) ? values : Object.keys(values ?? {});
  const more = names.length - 8;
  return names.slice(0, 8).join(', ') + (more > 0 ? `, and ${more} more` : '');
}
