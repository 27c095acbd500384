import { CREDENTIAL_FIELDS } from '@sluice/vendors';
import { capabilitiesOfModel, routeCapabilities } from '../models/model-capabilities.ts';
import type { QuirksConfig } from '../schema/quirks-schema.ts';
import type { KeyBudget, KeyLimits } from '../schema/key-limits-schema.ts';
import { isEmbeddedRedis, redisSettings, showRedis } from './redis-settings.ts';
import { showUrl } from './show-url.ts';
import type {
  Config,
  ConfigFile,
  DisabledModel,
  DisabledUpstream,
  ModelConfig,
  UpstreamConfig,
} from '../schema/schema.ts';
import { type UnpricedUse, unpricedModels } from '../check/unpriced-models.ts';

const OR_LIST = new Intl.ListFormat('en', { type: 'disjunction' });

type Sections = Pick<
  ConfigFile,
  | 'timeouts'
  | 'polling'
  | 'tasks'
  | 'limits'
  | 'responses'
  | 'routing'
  | 'files'
  | 'batches'
  | 'video_groups'
  | 'download'
  | 'webhooks'
  | 'ledger'
  | 'defaults'
  | 'log'
>;

/** The output of `sluice check`. It contains no credentials, not even in URLs. */
export interface ConfigDescription {
  /** The configuration file. Absent for the zero configuration. */
  file?: string;
  /** `secret` and `admin_key` show whether each is configured. */
  server: { url: string; processes: number | 'auto'; public_url?: string; secret: boolean; admin_key: boolean };
  /** `url` is the primary's name and the Sentinels, if they are configured. */
  redis: { url: string; prefix: string; tls: boolean; replicas: number; shards: string[] };
  dataDir: string;
  /** Location of the content store: a folder, or `s3://bucket/prefix at REGION_OR_URL`. */
  content: string;
  keys: DescribedKey[];
  upstreams: UpstreamDescription[];
  /** A route is shown as `upstream/model (capabilities)`. */
  models: { id: string; routes: string[]; strict: boolean }[];
  disabledUpstreams: DisabledUpstream[];
  disabledModels: DisabledModel[];
  unpriced: UnpricedUse[];
  sandbox: boolean;
  settings: Sections;
}

interface DescribedKey {
  name: string;
  models?: string[];
  strict: boolean;
  vendor_references: boolean;
  limits: KeyLimits;
  budget?: KeyBudget;
}

export interface UpstreamDescription {
  name: string;
  kind: string;
  base_url: string;
  credentials: string[];
  /** Names of the configured headers, without their values. */
  headers: string[];
  quirks: QuirksConfig;
  completions: boolean;
  /** Undefined if not configured, or if the kind has no regions. */
  region: string | undefined;
  max_in_flight: number | undefined;
  max_submitting: number;
}

/** @param inCatalog whether the price catalog has the price of a model without a configured price */
export function describeConfig(config: Config, inCatalog?: (model: ModelConfig) => boolean): ConfigDescription {
  const { timeouts, polling, tasks, limits, responses, routing, files, batches, video_groups } = config;
  const { download, defaults, log, server } = config;
  const host = server.host.includes(':') ? `[${server.host}]` : server.host;
  return {
    ...(config.file === undefined ? {} : { file: config.file }),
    server: {
      url: `http://${host}:${server.port}`,
      processes: server.processes,
      ...(server.public_url === undefined ? {} : { public_url: showUrl(server.public_url) }),
      secret: server.secret !== undefined,
      admin_key: server.admin_key !== undefined,
    },
    redis: describeRedis(config),
    dataDir: config.dataDir,
    content: contentLocation(config),
    keys: config.keys.map(describeKey),
    upstreams: Object.entries(config.upstreams).map(([name, upstream]) => ({
      name,
      kind: upstream.kind,
      base_url: showUrl(upstream.base_url),
      credentials: shownCredentials(upstream),
      headers: Object.keys(upstream.headers ?? {}),
      quirks: upstream.quirks ?? {},
      completions: upstream.completions,
      region: upstream.region,
      max_in_flight: upstream.max_in_flight,
      max_submitting: upstream.max_submitting,
    })),
    models: config.models.map((model) => ({ id: model.id, strict: model.strict, routes: routeLines(config, model) })),
    disabledUpstreams: config.disabledUpstreams,
    disabledModels: config.disabledModels,
    unpriced: unpricedModels(config, inCatalog),
    sandbox: config.sandbox.enabled === true,
    settings: {
      timeouts,
      polling,
      tasks,
      limits,
      responses,
      routing,
      files,
      batches,
      video_groups,
      download: { allow: download.allow.map(showUrl) },
      webhooks: { ...config.webhooks, allow: config.webhooks.allow.map(showUrl) },
      ledger: { ...config.ledger, ...(config.ledger.url !== undefined && { url: showUrl(config.ledger.url) }) },
      defaults,
      log,
    },
  };
}

/** Returns the names of the pool's credentials, or else the credential's fields or type of identity. Never a secret. */
export function shownCredentials(upstream: UpstreamConfig): string[] {
  const pool = upstream.credentials?.map(({ name }) => name);
  if (pool) return pool;
  if (upstream.identity) return [upstream.identity.type];
  return CREDENTIAL_FIELDS.filter((field) => upstream[field] !== undefined);
}

/** A shard is a URL, or the name of a primary. */
function shownShard(shard: string): string {
  return shard.includes('://') ? showUrl(shard) : shard;
}

function describeRedis(config: Config): ConfigDescription['redis'] {
  const { prefix, tls, replicas, shards } = config.redis;
  const url = isEmbeddedRedis(config) ? 'embedded' : showRedis(redisSettings(config, {}));
  return {
    url,
    prefix,
    tls: tls !== undefined || url.startsWith('rediss:'),
    replicas,
    shards: (shards ?? []).map(shownShard),
  };
}

function describeKey({
  name,
  models,
  strict,
  vendor_references,
  limits,
  budget,
}: Config['keys'][number]): DescribedKey {
  return {
    name,
    ...(models === undefined ? {} : { models }),
    strict,
    vendor_references,
    limits: limits ?? {},
    ...(budget === undefined ? {} : { budget }),
  };
}

function routeLines(config: Config, model: ModelConfig): string[] {
  const capabilities = capabilitiesOfModel(config, model);
  const served = routeCapabilities(config, model);
  return model.routes.map((route, index) => {
    const here = served[index] ?? [];
    const both = here.filter((one) => capabilities.includes(one));
    return `${route.upstream}/${route.model} (${OR_LIST.format(both.length > 0 ? both : here)})`;
  });
}

function contentLocation({ content: { s3 }, contentDir }: Config): string {
  if (s3 === undefined) return contentDir;
  const bucket = `s3://${[s3.bucket, s3.prefix].filter(Boolean).join('/')}`;
  return `${bucket} at ${s3.endpoint === undefined ? s3.region : showUrl(s3.endpoint)}`;
}
