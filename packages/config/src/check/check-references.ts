import { UPSTREAM_FIELDS } from '@sluice/vendors';
import type { FieldPath } from '../issues/config-error.ts';
import { checkRedis } from './check-redis.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import { modelCatalog } from '../models/model-catalog.ts';
import { suggestName } from '../issues/near-names.ts';
import { needsOutput, routeCapabilities, servesMedia } from '../models/model-capabilities.ts';
import type { ConfigFile } from '../schema/schema.ts';
import { isTextKind, KINDS } from '../schema/kinds.ts';
import { DEFAULT_MAX_SUBMITTING } from '../schema/upstream-schema.ts';
import type { ReferenceIssue } from './reference-issue.ts';

const AND_LIST = new Intl.ListFormat('en');

/**
 * Finds problems that the schema cannot detect: unknown names, duplicates, inverted bounds, routes and fields of the
 * wrong kind, and limits that leave no slot for polls. Call it before upstreams without credentials are removed.
 */
export function checkReferences(config: ConfigFile): ReferenceIssue[] {
  const { keys, models, polling, tasks, routing, ledger } = config;
  const modelIds = models.map((model) => model.id);
  return [
    ...findDuplicates(modelIds, 'models', 'id', 'model id'),
    ...findDuplicates(
      keys.map(({ name }) => name),
      'keys',
      'name',
      'key name',
    ),
    ...findDuplicates(
      keys.map(({ key }) => key),
      'keys',
      'key',
      'key',
    ),
    ...checkAdminKey(config),
    ...checkOidc(config),
    ...checkRedis(config),
    ...checkRoutes(config),
    ...models.flatMap((_, index) => checkCapabilities(config, index)),
    ...checkUpstreamFields(config),
    ...keys.flatMap((key, index) =>
      (key.models ?? []).flatMap((id, entry) =>
        id.includes('*') ? [] : checkModel(id, ['keys', index, 'models', entry], modelIds),
      ),
    ),
    ...checkDefaults(config, modelIds),
    ...checkOrder('polling', polling, 'min_ms', 'max_ms'),
    ...checkOrder('tasks', tasks, 'retry_min_ms', 'retry_max_ms'),
    ...checkOrder('routing', routing, 'open_ms', 'max_open_ms'),
    ...checkOrder('ledger', ledger, 'entries_days', 'rollups_days'),
    ...checkSlots(config),
  ];
}

/** Finds conflicts between fields that a reload changes and fields that need a restart. */
export function checkApplicable(config: ConfigFile): ReferenceIssue[] {
  return [...checkAdminKey(config), ...checkSlots(config)];
}

function findDuplicates(values: string[], list: string, field: string, label: string): ReferenceIssue[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    if (first === index) return [];
    const wrong = `the same ${label} is in ${list}[${first}]`;
    return [{ path: [list, index, field], wrong, remedy: 'change or remove one' }];
  });
}

/** If a client key equals the admin key, clients with that key have full access to the gateway. */
function checkAdminKey({ server, keys }: ConfigFile): ReferenceIssue[] {
  const index = keys.findIndex(({ key }) => key === server.admin_key);
  if (index < 0) return [];
  const wrong = `is also the key of keys[${index}]`;
  return [{ path: ['server', 'admin_key'], wrong, remedy: 'choose another one' }];
}

/** The provider redirects users back to a URL that is registered there, so it cannot depend on the request. */
function checkOidc({ server, console: { oidc } }: ConfigFile): ReferenceIssue[] {
  if (!oidc || server.public_url !== undefined) return [];
  const remedy = 'set `server.public_url` to the URL of Sluice, as browsers see it';
  return [{ path: ['console', 'oidc'], wrong: 'needs `server.public_url`', remedy }];
}

function checkRoutes({ models, upstreams }: ConfigFile): ReferenceIssue[] {
  const names = Object.keys(upstreams);
  return models.flatMap((model, index) =>
    model.routes.flatMap((route, entry): ReferenceIssue[] => {
      const path = ['models', index, 'routes', entry];
      const issues: ReferenceIssue[] = [];
      if (!names.includes(route.upstream)) {
        const wrong = `no upstream is named \`${route.upstream}\``;
        issues.push({
          path: [...path, 'upstream'],
          wrong,
          remedy: suggestName(route.upstream, names, 'add it under `upstreams`'),
        });
      }
      if (countStars(route.model) > countStars(model.id)) {
        const wrong = `has more \`*\` than the model's id \`${model.id}\``;
        issues.push({ path: [...path, 'model'], wrong, remedy: 'write the name at the upstream' });
      }
      return issues;
    }),
  );
}

function checkModel(id: string, path: FieldPath, modelIds: string[]): ReferenceIssue[] {
  if (modelIds.some((known) => matchPattern(known, id) !== undefined)) return [];
  return [{ path, wrong: `no model has the id \`${id}\``, remedy: suggestName(id, modelIds, 'add it under `models`') }];
}

function checkCapabilities(config: ConfigFile, index: number): ReferenceIssue[] {
  const model = config.models[index];
  if (model === undefined) return [];
  const routes = routeCapabilities(config, model);
  const first = routes.find((capabilities) => capabilities.length > 0) ?? [];
  const unserved = (model.capabilities ?? []).flatMap((capability, entry): ReferenceIssue[] => {
    if (routes.some((served) => served.length === 0 || served.includes(capability))) return [];
    const path = ['models', index, 'capabilities', entry];
    const lacksOutput = model.routes.some(({ upstream }) => needsOutput(config.upstreams[upstream], capability));
    const remedy = lacksOutput ? 'set `output_uri` of the upstream, or remove it' : 'remove it';
    return [{ path, wrong: 'no upstream of its routes serves it', remedy }];
  });
  const mixed = routes.flatMap((served, entry): ReferenceIssue[] => {
    const path = ['models', index, 'routes', entry];
    if (served.length === 0) return [];
    if (!served.some((capability) => first.includes(capability))) {
      const wrong = `serves ${AND_LIST.format(served)}, while the model's first route serves ${AND_LIST.format(first)}`;
      return [{ path: [...path, 'upstream'], wrong, remedy: 'split it into two models' }];
    }
    if (served.includes('text') || model.routes[entry]?.quirks === undefined) return [];
    return [{ path: [...path, 'quirks'], wrong: 'is for routes that serve text', remedy: 'remove it' }];
  });
  return [...unserved, ...mixed];
}

function checkUpstreamFields({ upstreams }: ConfigFile): ReferenceIssue[] {
  return Object.entries(upstreams).flatMap(([name, upstream]): ReferenceIssue[] => {
    const { kind, quirks } = upstream;
    const issues: ReferenceIssue[] = [];
    const path = ['upstreams', name];
    if (quirks !== undefined && !isTextKind(kind))
      issues.push({ path: [...path, 'quirks'], wrong: 'is for upstreams that serve text', remedy: 'remove it' });
    for (const field of UPSTREAM_FIELDS) {
      const isSet = upstream[field] !== undefined && upstream[field] !== false;
      if (!isSet || KINDS.acceptsField(kind, field)) continue;
      const kinds = KINDS.kindsWith(field).map((one) => `\`${one}\``);
      const wrong = `is for ${kinds.length > 1 ? 'the kinds' : 'kind'} ${AND_LIST.format(kinds)}`;
      issues.push({ path: [...path, field], wrong, remedy: 'remove it' });
    }
    return issues;
  });
}

function checkDefaults(config: ConfigFile, modelIds: string[]): ReferenceIssue[] {
  return (['video', 'image', 'moderation', 'realtime'] as const).flatMap((capability) => {
    const id = config.defaults[`${capability}_model`];
    if (id === undefined) return [];
    const path = ['defaults', `${capability}_model`];
    const model = modelCatalog(config).find(id)?.model;
    if (model === undefined) return checkModel(id, path, modelIds);
    const routes = routeCapabilities(config, model).filter((served) => served.length > 0);
    const isDeclared = model.capabilities?.includes(capability) ?? true;
    if (routes.length === 0 || (isDeclared && routes.some((served) => served.includes(capability)))) return [];
    return [{ path, wrong: `the model \`${id}\` does not serve ${capability}`, remedy: 'name a model that does' }];
  });
}

function checkOrder<F extends string>(
  section: string,
  values: Readonly<Record<F, number>>,
  min: F,
  max: F,
): ReferenceIssue[] {
  if (values[min] <= values[max]) return [];
  const wrong = `is more than ${section}.${max} (${values[max]})`;
  return [{ path: [section, min], wrong, remedy: 'lower it or raise the other' }];
}

/** A submission to a slow vendor takes a long time, so a worker must always have a slot for polls. */
function checkSlots(config: ConfigFile): ReferenceIssue[] {
  const { upstreams, tasks } = config;
  return Object.entries(upstreams).flatMap(([name, { max_submitting: submitting }]): ReferenceIssue[] => {
    if (submitting < tasks.concurrency || !servesMedia(config, name)) return [];
    const why = 'which leaves no slot for polls';
    const path = ['upstreams', name, 'max_submitting'];
    // If `max_submitting` has its default value, the operator probably did not choose it, so the issue refers to
    // `tasks.concurrency`.
    if (submitting === DEFAULT_MAX_SUBMITTING) {
      const wrong = `is not more than ${path.join('.')} (${submitting}), ${why}`;
      return [{ path: ['tasks', 'concurrency'], wrong, remedy: 'raise it or lower the other' }];
    }
    const wrong = `is not less than tasks.concurrency (${tasks.concurrency}), ${why}`;
    return [{ path, wrong, remedy: 'lower it or raise the other' }];
  });
}

function countStars(text: string): number {
  return text.split('*').length - 1;
}
