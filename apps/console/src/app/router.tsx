import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { CONSOLE_PATH } from '../lib/base-path.ts';
import { parseSearch, pickFilters, stringifySearch } from '../lib/url-search.ts';
import { PERIOD_PARAMS } from '../lib/periods.ts';
import { AUDIT_FILTERS } from '../screens/audit/audit-filters.ts';
import { FILE_FILTERS } from '../screens/files/file-filters.ts';
import { KEY_PARAMS } from '../screens/keys/key-filters.ts';
import { BATCH_FILTERS } from '../screens/batches/batch-params.ts';
import { GROUP_FILTERS, GROUP_PARAMS } from '../screens/groups/group-params.ts';
import { CONFIGURATION_PARAMS } from '../screens/configuration/configuration-params.ts';
import { MODEL_PARAMS } from '../screens/models/model-filters.ts';
import { REQUEST_FILTERS } from '../screens/requests/request-params.ts';
import { USAGE_PARAMS } from '../screens/usage/usage-params.ts';
import { PLAYGROUND_PARAMS } from '../screens/playground/playground-search.ts';
import { SETUP_PARAMS } from '../screens/setup/setup-search.ts';
import { GALLERY_FILTERS } from '../screens/gallery/gallery-filters.ts';
import { TASK_FILTERS } from '../screens/tasks/task-params.ts';
import { UPSTREAM_PARAMS } from '../screens/upstreams/upstream-filters.ts';
import { WEBHOOK_PARAMS } from '../screens/webhooks/webhook-params.ts';
import { LoadError, NotFound } from './route-errors.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

/** Each screen is a chunk of its own. */
const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  validateSearch: pickFilters(PERIOD_PARAMS),
}).lazy(() => import('../screens/overview/overview-route.ts').then(({ Route }) => Route));

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  validateSearch: pickFilters(REQUEST_FILTERS),
}).lazy(() => import('../screens/requests/requests-route.ts').then(({ Route }) => Route));

const request = createRoute({
  getParentRoute: () => root,
  path: '/requests/$id',
}).lazy(() => import('../screens/requests/request-route.ts').then(({ Route }) => Route));

const sessions = createRoute({
  getParentRoute: () => root,
  path: '/sessions',
}).lazy(() => import('../screens/sessions/sessions-route.ts').then(({ Route }) => Route));

const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  validateSearch: pickFilters(USAGE_PARAMS),
}).lazy(() => import('../screens/usage/usage-route.ts').then(({ Route }) => Route));

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: pickFilters(KEY_PARAMS),
}).lazy(() => import('../screens/keys/keys-route.ts').then(({ Route }) => Route));

const key = createRoute({
  getParentRoute: () => root,
  path: '/keys/$id',
}).lazy(() => import('../screens/keys/key-route.ts').then(({ Route }) => Route));

const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  validateSearch: pickFilters(PLAYGROUND_PARAMS),
}).lazy(() => import('../screens/playground/playground-route.ts').then(({ Route }) => Route));

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: pickFilters(SETUP_PARAMS),
}).lazy(() => import('../screens/setup/setup-route.ts').then(({ Route }) => Route));

const tasks = createRoute({
  getParentRoute: () => root,
  path: '/tasks',
  validateSearch: pickFilters(TASK_FILTERS),
}).lazy(() => import('../screens/tasks/tasks-route.ts').then(({ Route }) => Route));

const task = createRoute({
  getParentRoute: () => root,
  path: '/tasks/$id',
}).lazy(() => import('../screens/tasks/task-route.ts').then(({ Route }) => Route));

const batches = createRoute({
  getParentRoute: () => root,
  path: '/batches',
  validateSearch: pickFilters(BATCH_FILTERS),
}).lazy(() => import('../screens/batches/batches-route.ts').then(({ Route }) => Route));

const batch = createRoute({
  getParentRoute: () => root,
  path: '/batches/$id',
}).lazy(() => import('../screens/batches/batch-route.ts').then(({ Route }) => Route));

const groups = createRoute({
  getParentRoute: () => root,
  path: '/groups',
  validateSearch: pickFilters(GROUP_FILTERS),
}).lazy(() => import('../screens/groups/groups-route.ts').then(({ Route }) => Route));

const group = createRoute({
  getParentRoute: () => root,
  path: '/groups/$id',
  validateSearch: pickFilters(GROUP_PARAMS),
}).lazy(() => import('../screens/groups/group-route.ts').then(({ Route }) => Route));

const gallery = createRoute({
  getParentRoute: () => root,
  path: '/gallery',
  validateSearch: pickFilters(GALLERY_FILTERS),
}).lazy(() => import('../screens/gallery/gallery-route.ts').then(({ Route }) => Route));

const files = createRoute({
  getParentRoute: () => root,
  path: '/files',
  validateSearch: pickFilters(FILE_FILTERS),
}).lazy(() => import('../screens/files/files-route.ts').then(({ Route }) => Route));

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: pickFilters(WEBHOOK_PARAMS),
}).lazy(() => import('../screens/webhooks/webhooks-route.ts').then(({ Route }) => Route));

const upstreams = createRoute({
  getParentRoute: () => root,
  path: '/upstreams',
  validateSearch: pickFilters(UPSTREAM_PARAMS),
}).lazy(() => import('../screens/upstreams/upstreams-route.ts').then(({ Route }) => Route));

const upstream = createRoute({
  getParentRoute: () => root,
  path: '/upstreams/$name',
  validateSearch: pickFilters(PERIOD_PARAMS),
}).lazy(() => import('../screens/upstreams/upstream-route.ts').then(({ Route }) => Route));

const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  validateSearch: pickFilters(MODEL_PARAMS),
}).lazy(() => import('../screens/models/models-route.ts').then(({ Route }) => Route));

const configuration = createRoute({
  getParentRoute: () => root,
  path: '/configuration',
  validateSearch: pickFilters(CONFIGURATION_PARAMS),
}).lazy(() => import('../screens/configuration/configuration-route.ts').then(({ Route }) => Route));

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: pickFilters(AUDIT_FILTERS),
}).lazy(() => import('../screens/audit/audit-route.ts').then(({ Route }) => Route));

export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    requests,
    request,
    tasks,
    task,
    groups,
    group,
    batches,
    batch,
    gallery,
    files,
    usage,
    keys,
    key,
    webhooks,
    upstreams,
    upstream,
    models,
    configuration,
    audit,
    playground,
    setup,
    sessions,
  ]),
  basepath: CONSOLE_PATH,
  defaultPreload: 'intent',
  defaultErrorComponent: LoadError,
  parseSearch,
  stringifySearch,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
