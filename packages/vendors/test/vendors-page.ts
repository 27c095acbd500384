import * as vendors from '../src/index.ts';

/** The catalog fields that the page shows. Each catalog has some of them. */
interface ShownModel {
  maxPrompt?: number;
  seconds?: readonly number[] | string;
  resolutions?: unknown;
  shapes?: readonly string[];
  frames?: readonly string[];
  ratios?: unknown;
  sizes?: readonly string[];
  images?: Readonly<Partial<Record<string, number>>>;
}

type ShownCatalog = readonly (readonly [string | RegExp, ShownModel])[];

const CATALOGS: readonly { kind: string; title: string; models: ShownCatalog }[] = [
  { kind: 'provider-a', title: 'videos', models: vendors.KLING_VIDEOS },
  { kind: 'provider-b', title: 'videos', models: vendors.JIMENG_VIDEOS },
  { kind: 'provider-b', title: 'images', models: vendors.JIMENG_IMAGE_MODELS },
  { kind: 'dashscope', title: 'images', models: vendors.DASHSCOPE_IMAGE_MODELS },
  { kind: 'ark', title: 'videos', models: vendors.ARK_VIDEOS },
  { kind: 'minimax', title: 'videos, API version 1', models: vendors.MINIMAX_VIDEOS_V1 },
  { kind: 'minimax', title: 'videos, API version 2', models: vendors.MINIMAX_VIDEOS_V2 },
  { kind: 'vidu', title: 'videos', models: vendors.VIDU_VIDEOS },
  { kind: 'veo', title: 'videos', models: vendors.VEO_VIDEOS },
  { kind: 'runway', title: 'videos', models: vendors.RUNWAY_VIDEOS },
  { kind: 'runway', title: 'images', models: vendors.RUNWAY_IMAGES },
  { kind: 'fal', title: 'videos', models: vendors.FAL_VIDEOS },
  { kind: 'chat-completions', title: 'images', models: vendors.OPENAI_IMAGE_MODELS },
];

const HEAD = `# Vendors and models

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- vendors-docs\`. -->

The vendor catalogs in \`packages/vendors/src\` describe the kinds and their models as data. Upstreams plan requests with them.

## Kinds

The base URL is the path below the address of the [sandbox](sandbox.md).

| Kind | Capabilities | Base URL in the sandbox | Sources |
|---|---|---|---|
`;

const MODELS = `
## Models

A model belongs to the first row whose name its own name begins with, or whose pattern matches. Other names are passed with
the values that the client requested. An empty cell means that the catalog sets no limit or that the API has no such field. Images are
counted by role.
`;

/** Returns the text of docs/extend/sandbox-vendors.md. */
export function vendorsPage(): string {
  const kinds = vendors.MANIFESTS.map((manifest: vendors.VendorManifest) => {
    const sources = (manifest.sources ?? []).join('; ');
    const { kind, capabilities, sandboxPath } = manifest;
    return `| \`${kind}\` | ${capabilities.join(', ')} | \`${sandboxPath || '/'}\` | ${sources} |\n`;
  });
  return HEAD + kinds.join('') + MODELS + CATALOGS.map(tableOf).join('');
}

function tableOf({ kind, title, models }: (typeof CATALOGS)[number]): string {
  const head = `\n### \`${kind}\`: ${title}\n\n| Models | Seconds | Resolutions | Shapes or sizes | Images | Prompt |\n|---|---|---|---|---|---|\n`;
  return head + models.map(([name, model]) => rowOf(name, model)).join('');
}

function rowOf(name: string | RegExp, model: ShownModel): string {
  const shown = typeof name === 'string' ? `${name}…` : name.source;
  const frames = model.frames ?? model.sizes ?? model.shapes ?? model.ratios;
  const images = Object.entries(model.images ?? {}).map(([role, count]) =>
    count === Number.POSITIVE_INFINITY ? `${role} any` : `${role} ${count}`,
  );
  const cells = [
    `\`${shown.replaceAll('|', '\\|')}\``,
    secondsOf(model.seconds),
    namesOf(model.resolutions),
    namesOf(frames),
    images.join(', '),
    model.maxPrompt === undefined ? '' : String(model.maxPrompt),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

function secondsOf(seconds: ShownModel['seconds']): string {
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
