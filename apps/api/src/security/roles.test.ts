import { ENDPOINTS } from '@sluice/protocols';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_ENDPOINTS } from '../admin/endpoints.ts';
import { CONSOLE_PATHS } from '../console/register-console.ts';
import { MEDIA_TASK_ENDPOINTS } from '../media/tasks/task-endpoints.ts';
import { exampleOf } from '../operations/examples.ts';
import { USAGE_ENDPOINTS } from '../usage/endpoints.ts';
import { KEYS } from '../../test/api-rig.ts';
import { type ConsoleClient, signIn } from '../../test/security/console-session.ts';
import { ADMIN_KEY, type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { pathOf, validBody } from '../../test/security/valid-bodies.ts';

interface Change {
  title: string;
  method: string;
  path: string;
  body?: unknown;
  /** The least role. Undefined for calls that need an API key or the role `admin`, such as calls of models. */
  role?: string;
}

const isChange = ({ method }: { method: string }): boolean => method !== 'GET';
const titleOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;
const KEY_NAME = 'stored';

let rig: FullRig;
let otherSession: string;
beforeAll(async () => {
  rig = await fullRig();
  const headers = { authorization: `Bearer ${ADMIN_KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: KEY_NAME });
  expect((await rig.call('/admin/v1/keys', { method: 'POST', headers, body })).status).toBe(201);
  otherSession = (await signIn(rig, ADMIN_KEY)).id;
});
afterAll(() => rig.close());

/** Every operation of `list` that is not a read. Paths are functions, because the objects exist only later. */
const PROTOCOL_CHANGES = [...ENDPOINTS, ...MEDIA_TASK_ENDPOINTS, ...USAGE_ENDPOINTS].filter(isChange);
const ADMIN_CHANGES = ADMIN_ENDPOINTS.filter(isChange);
/** A session may end itself and those of the same role, and opening one needs a key. */
const OWN_SESSION = new Set(['POST /console/api/session', 'DELETE /console/api/session']);
const CONSOLE_CHANGES = CONSOLE_PATHS.filter((one) => isChange(one) && !OWN_SESSION.has(titleOf(one)));

function changes(): Change[] {
  return [
    ...PROTOCOL_CHANGES.map((endpoint) => {
      const known = ENDPOINTS.find((one) => one === endpoint);
      const path = known ? pathOf(known, rig.created) : endpoint.path.replaceAll(/:\w+/g, rig.created.video);
      const body = known?.body ? validBody(known, rig.created) : exampleOf(endpoint.operationId)?.body;
      return { title: titleOf(endpoint), method: endpoint.method, path, body };
    }),
    ...ADMIN_CHANGES.map(({ role = 'admin', ...endpoint }) => {
      const path = endpoint.path.replaceAll(/:\w+/g, targetOf(endpoint.path));
      return {
        title: titleOf(endpoint),
        method: endpoint.method,
        path,
        body: exampleOf(endpoint.operationId)?.body,
        role,
      };
    }),
    ...CONSOLE_CHANGES.map((endpoint) => ({
      title: titleOf(endpoint),
      method: endpoint.method,
      path: endpoint.path.replaceAll(/:\w+/g, otherSession),
    })),
  ];
}

/** An object that exists, so that a change would succeed. */
function targetOf(path: string): string {
  if (path.includes('/keys/')) return KEY_NAME;
  if (path.includes('/webhooks/')) return rig.created.webhook;
  if (path.includes('/batches/')) return rig.created.batch ?? '';
  if (path.includes('/groups/')) return rig.created.group ?? '';
  return path.includes('/tasks/') ? rig.created.video : 'chat-completions';
}

/** Everything that a change could change. */
async function state(): Promise<unknown> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const lists = [
    'keys?limit=100',
    'tasks?limit=100',
    'webhooks',
    'webhooks/deliveries',
    'configuration',
    'batches',
    'groups',
  ];
  const bodies = lists.map(async (at) => {
    const response = await rig.call(`/admin/v1/${at}`, { headers });
    expect(response.status, at).toBe(200);
    return response.json();
  });
  return { lists: await Promise.all(bodies), submitted: rig.submitted.length, calls: rig.vendor.requests.length };
}

/** Sends each change. @returns its title with the status and whether the error is about permissions */
async function outcomes(list: readonly Change[], person: ConsoleClient, headers: Record<string, string> = {}) {
  const found: [string, number, boolean][] = [];
  for (const { title, method, path, body } of list) {
    const response = await person.call(path, { method, headers, ...(body !== undefined && { body }) });
    found.push([title, response.status, /permission/i.test(await response.text())]);
  }
  return found;
}

const refusedAll = (list: readonly Change[]) => list.map(({ title }) => [title, 403, true]);
const withoutConsole = (list: readonly Change[]) => list.filter(({ path }) => !path.startsWith('/console/'));

describe('a session of an API key', () => {
  it.each(ADMIN_ENDPOINTS.map((endpoint) => [titleOf(endpoint), endpoint] as const))(
    'has no access to %s',
    async (_title, { method, path }) => {
      const holder = await signIn(rig, KEYS.alice);
      expect((await holder.call(path.replaceAll(/:\w+/g, targetOf(path)), { method })).status).toBe(401);
    },
  );
});

describe('the role of a session', () => {
  it('covers many operations', () => {
    expect(changes().length).toBeGreaterThan(60);
    expect(CONSOLE_CHANGES.map(titleOf)).toEqual(['DELETE /console/api/sessions/:id']);
  });

  it('lets a viewer change nothing', async () => {
    const viewer = await signIn(rig, ADMIN_KEY, 'viewer');
    const before = await state();
    const list = withoutConsole(changes());
    expect(await outcomes(list, viewer)).toEqual(refusedAll(list));
    expect(await state()).toEqual(before);
  });

  it('lets an operator change only what its role may', async () => {
    const operator = await signIn(rig, ADMIN_KEY, 'operator');
    const before = await state();
    const all = withoutConsole(changes());
    const list = all.filter(({ role }) => role !== 'operator');
    expect(all.length - list.length).toBeGreaterThan(3);
    expect(await outcomes(list, operator)).toEqual(refusedAll(list));
    expect(await state()).toEqual(before);
  });

  it.each(['viewer', 'operator'])('does not let a %s end the session of an admin', async (role) => {
    const person = await signIn(rig, ADMIN_KEY, role);
    expect((await person.call(`/console/api/sessions/${otherSession}`, { method: 'DELETE' })).status).toBe(404);
    const admin = await signIn(rig, ADMIN_KEY);
    const { data } = (await (await admin.call('/console/api/sessions')).json()) as { data: { id: string }[] }; // A list.
    expect(data.map(({ id }) => id)).toContain(otherSession);
  });
});

it.each(['missing', 'wrong'])('a change whose CSRF token is %s is refused, also of an admin', async (kind) => {
  const admin = await signIn(rig, ADMIN_KEY);
  const before = await state();
  const list = [...changes(), { title: 'sign-out', method: 'DELETE', path: '/console/api/session' }];
  const token = kind === 'missing' ? '' : (await signIn(rig, ADMIN_KEY)).csrfToken;
  expect(await outcomes(list, admin, { 'x-csrf-token': token })).toEqual(refusedAll(list));
  expect(await state()).toEqual(before);
  expect((await admin.call('/console/api/session')).status).toBe(200);
});
