import type { FieldPath } from '../issues/config-error.ts';
import { matchPattern } from '../patterns/match-pattern.ts';
import { modelCatalog } from '../models/model-catalog.ts';
import { likelyName } from '../issues/near-names.ts';
import { routeCapabilities } from '../models/model-capabilities.ts';
import type { ConfigFile } from '../schema/schema.ts';
import { isMediaKind, isTextKind, KINDS } from '../schema/kinds.ts';
import { DEFAULT_MAX_SUBMITTING } from '../schema/upstream-schema.ts';

/** Two fields that contradict each other. */
export interface ReferenceIssue {
  /** The field to change. */
  path: FieldPath;
  wrong: string;
  remedy: string;
}

/**
 * Finds what a schema cannot: unknown names, duplicate names and keys, inverted bounds, models that serve text on one
 * route and video on another, fields of another kind, and submissions that would leave no slot for polls. Call it
 * before
 * upstreams without credentials are left out.
 */
export function checkReferences(config: ConfigFile): ReferenceIssue[] {
  const modelIds = config.models.map((model) => model.id);
  return [
    ...doubles(modelIds, (index) => ['models', index, 'id'], 'model id'),
    ...doubles(
      config.keys.map((key) => key.name),
      (index) => ['keys', index, 'name'],
      'key name',
    ),
    ...doubles(
      config.keys.map((key) => key.key),
      (index) => ['keys', index, 'key'],
      'key',
    ),
    ...checkAdminKey(config),
    ...checkRoutes(config),
    ...checkKinds(config),
    ...config.keys.flatMap((key, index) =>
      (key.models ?? []).flatMap((id, entry) =>
        id.includes('*') ? [] : checkModel(id, ['keys', index, 'models', entry], modelIds),
      ),
    ),
    ...checkDefaults(config, modelIds),
    ...checkOrder(['polling', 'min_ms'], config.polling.min_ms, ['polling', 'max_ms'], config.polling.max_ms),
    ...checkOrder(
      ['tasks', 'retry_min_ms'],
      config.tasks.retry_min_ms,
      ['tasks', 'retry_max_ms'],
      config.tasks.retry_max_ms,
    ),
    ...checkOrder(
      ['routing', 'open_ms'],
      config.routing.open_ms,
      ['routing', 'max_open_ms'],
      config.routing.max_open_ms,
    ),
    ...checkSlots(config),
  ];
}

function doubles(values: string[], path: (index: number) => FieldPath, what: string): ReferenceIssue[] {
  return values.flatMap((value, index) => {
    const first = values.indexOf(value);
    if (first === index) return [];
    const list = String(path(index)[0]);
    return [{ path: path(index), wrong: `the same ${what} is in ${list}[${first}]`, remedy: 'change or remove one' }];
  });
}

/** One credential for both would give every client of that key full access to the gateway. */
function checkAdminKey({ server, keys }: ConfigFile): ReferenceIssue[] {
  const index = keys.findIndex(({ key }) => key === server.admin_key);
  if (index < 0) return [];
  const wrong = `is also the key of keys[${index}]`;
  return [{ path: ['server', 'admin_key'], wrong, remedy: 'choose another one' }];
}

function checkRoutes({ models, upstreams }: ConfigFile): ReferenceIssue[] {
  const names = Object.keys(upstreams);
  return models.flatMap((model, index) =>
    model.routes.flatMap((route, entry): ReferenceIssue[] => {
      const path = ['models', index, 'routes', entry];
      const issues: ReferenceIssue[] = [];
      if (!names.includes(route.upstream)) {
        const wrong = `no upstream is named \`${route.upstream}\``;
        issues.push({ path: [...path, 'upstream'], wrong, remedy: suggest(route.upstream, names, 'upstreams') });
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
  return [{ path, wrong: `no model has the id \`${id}\``, remedy: suggest(id, modelIds, 'models') }];
}

const WORDS = new Intl.ListFormat('en');

function checkKinds(config: ConfigFile): ReferenceIssue[] {
  const models = config.models.flatMap((model, index): ReferenceIssue[] => {
    const given = routeCapabilities(config, model);
    const first = given.find((one) => one.length > 0) ?? [];
    const unserved = (model.capabilities ?? []).flatMap((one, entry): ReferenceIssue[] =>
      given.some((made) => made.length === 0 || made.includes(one))
        ? []
        : [
            {
              path: ['models', index, 'capabilities', entry],
              wrong: 'no upstream of its routes serves it',
              remedy: 'remove it',
            },
          ],
    );
    const routes = given.flatMap((made, entry): ReferenceIssue[] => {
      const path = ['models', index, 'routes', entry];
      if (made.length === 0) return [];
      if (!made.some((capability) => first.includes(capability))) {
        const wrong = `serves ${WORDS.format(made)}, while the model's first route serves ${WORDS.format(first)}`;
        return [{ path: [...path, 'upstream'], wrong, remedy: 'split it into two models' }];
      }
      if (made.includes('text') || model.routes[entry]?.quirks === undefined) return [];
      return [{ path: [...path, 'quirks'], wrong: 'is for routes that serve text', remedy: 'remove it' }];
    });
    return [...unserved, ...routes];
  });
  const upstreams = Object.entries(config.upstreams).flatMap(([name, upstream]): ReferenceIssue[] => {
    const { kind, quirks } = upstream;
    const issues: ReferenceIssue[] = [];
    const path = ['upstreams', name];
    if (quirks !== undefined && !isTextKind(kind))
      issues.push({ path: [...path, 'quirks'], wrong: 'is for upstreams that serve text', remedy: 'remove it' });
    for (const field of ['completions', 'region'] as const) {
      const isSet = upstream[field] !== undefined && upstream[field] !== false;
      if (isSet && !KINDS.takesField(kind, field))
        issues.push({ path: [...path, field], wrong: `is for kind \`${KINDS.kindWith(field)}\``, remedy: 'remove it' });
    }
    return issues;
  });
  return [...models, ...upstreams];
}

function checkDefaults(config: ConfigFile, modelIds: string[]): ReferenceIssue[] {
  return (['video', 'image', 'moderation', 'realtime'] as const).flatMap((kind) => {
    const id = config.defaults[`${kind}_model`];
    if (id === undefined) return [];
    const path = ['defaults', `${kind}_model`];
    const model = modelCatalog(config).find(id)?.model;
    if (model === undefined) return checkModel(id, path, modelIds);
    const made = routeCapabilities(config, model).filter((one) => one.length > 0);
    const serves = model.capabilities?.includes(kind) ?? true;
    if (made.length === 0 || (serves && made.some((one) => one.includes(kind)))) return [];
    return [{ path, wrong: `the model \`${id}\` does not serve ${kind}`, remedy: 'name a model that does' }];
  });
}

function suggest(name: string, known: string[], section: string): string {
  const meant = likelyName(name, known);
  if (meant !== undefined) return `did you mean \`${meant}\`?`;
  return known.length === 0 ? `add it under \`${section}\`` : `write one of: ${known.join(', ')}`;
}

function checkOrder(minPath: FieldPath, min: number, maxPath: FieldPath, max: number): ReferenceIssue[] {
  if (min <= max) return [];
  return [
    { path: minPath, wrong: `is more than ${maxPath.join('.')} (${max})`, remedy: 'lower it or raise the other' },
  ];
}

/** Submissions wait long for a slow vendor; a worker must keep a slot for polls. */
function checkSlots({ upstreams, tasks }: ConfigFile): ReferenceIssue[] {
  return Object.entries(upstreams).flatMap(([name, { kind, max_submitting: submitting }]): ReferenceIssue[] => {
    if (!isMediaKind(kind) || submitting < tasks.concurrency) return [];
    const why = 'which leaves no slot for polls';
    const path = ['upstreams', name, 'max_submitting'];
    // With the default, the other field is the one that was written.
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
