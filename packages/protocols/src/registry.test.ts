import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS, TEXT_PROTOCOLS } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { chatCompletionsProtocol } from './chat-completions/index.ts';
import type { Endpoint } from './contracts/endpoint.ts';
import { generativeContentProtocol } from './generative-content/index.ts';
import { messagesProtocol } from './messages/index.ts';
import { ENDPOINTS } from './registry.ts';
import { responsesProtocol } from './responses/index.ts';

/** Each folder is either a protocol or one of the shared folders below. */
const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** Shared folders, which have no routes. */
const SHARED = [
  'anthropic-style',
  'contracts',
  'errors',
  'exchange',
  'forms',
  'json',
  'losses',
  'media',
  'stream',
  'text',
];
/** Protocols of upstreams, which have no routes. */
const UPSTREAM_ONLY = ['converse'];
/** Folders whose routes use another protocol's errors. */
const FOLDERS_WITH_SHARED_ERRORS: Readonly<Record<string, readonly string[]>> = {
  completions: ['chat-completions'],
  'embed-content': ['generative-content'],
  engines: ['embeddings', 'embed-content'],
  models: ['chat-completions', 'generative-content'],
};
/** Folders with routes of their own protocol and of another one. */
const FOLDERS_WITH_OTHER_ERRORS: Readonly<Record<string, readonly string[]>> = {
  batches: ['messages', 'generative-content'],
  files: ['generative-content'],
};
const routed = folders.filter((folder) => ![...SHARED, ...UPSTREAM_ONLY].includes(folder));

/**
 * Identifies a route by method and path. Wildcard paths are also distinguished by verb, other paths by the selecting
 * parameter.
 */
function key({ method, path, verb, select }: Endpoint): string {
  const selected = select ? `?${select.parameter}=${select.value}` : '';
  return `${method} ${path}${verb === undefined ? '' : `:${verb}`}${selected}`;
}

/** Returns the routes that a folder exports as `…Endpoints`, which is either a list or a function of the protocols. */
async function routesOf(folder: string): Promise<Endpoint[]> {
  const exported: Record<string, unknown> = await import(`./${folder}/index.ts`);
  const endpointExports = Object.entries(exported).filter(([name]) => name.endsWith('Endpoints'));
  return endpointExports.flatMap(([, value]): Endpoint[] => {
    const protocols = {
      chatCompletions: chatCompletionsProtocol,
      generativeContent: generativeContentProtocol,
      messages: messagesProtocol,
      responses: responsesProtocol,
    };
    // The tests below check that exports with this name are in the list of routes.
    return (typeof value === 'function' ? value(protocols) : value) as Endpoint[];
  });
}

describe('registry', () => {
  it('serves every protocol that has a folder, under the folder’s name', () => {
    const served = new Set(ENDPOINTS.map(({ protocol }) => protocol.name));
    expect([...served].toSorted()).toEqual(
      routed.filter((folder) => !(folder in FOLDERS_WITH_SHARED_ERRORS)).toSorted(),
    );
    expect([...served]).toEqual(expect.arrayContaining([...TEXT_PROTOCOLS]));
  });

  it.each(routed)('finds an index in %s, and all its routes in the list', async (folder) => {
    expect(existsSync(join(import.meta.dirname, folder, 'index.ts'))).toBe(true);
    const routes = await routesOf(folder);
    expect(routes.length, `${folder} exports its routes`).toBeGreaterThan(0);
    const others = FOLDERS_WITH_OTHER_ERRORS[folder];
    const allowed = FOLDERS_WITH_SHARED_ERRORS[folder] ?? [folder, ...(others ?? [])];
    for (const route of routes) {
      const listed = ENDPOINTS.find((endpoint) => key(endpoint) === key(route));
      expect(listed).toMatchObject({ operationId: route.operationId, action: route.action });
      // A folder with several protocols creates them from those that it receives.
      if (others) expect(listed?.protocol.name).toBe(route.protocol.name);
      else expect(listed?.protocol).toBe(route.protocol);
      expect(allowed).toContain(route.protocol.name);
    }
  });

  it('lists only routes that a folder exports', async () => {
    const all = (await Promise.all(routed.map(routesOf))).flat();
    expect(ENDPOINTS.map(key).toSorted()).toEqual(all.map(key).toSorted());
  });

  it('has unique routes and operationIds', () => {
    const routes = ENDPOINTS.map(key);
    expect(new Set(routes).size).toBe(routes.length);
    const ids = ENDPOINTS.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(ENDPOINTS.map((endpoint) => [key(endpoint), endpoint] as const))(
    '%s documents a success and only existing errors, each once',
    (_route, { responses, errors, path, verb, credentials, summary }) => {
      // A WebSocket upgrade succeeds with status 101.
      expect(Object.keys(responses).some((status) => /^(?:2\d\d|101)$/.test(status))).toBe(true);
      expect(errors.filter((code) => !(code in ERROR_STATUS))).toEqual([]);
      expect(new Set(errors).size).toBe(errors.length);
      // A wildcard can only be the last segment, and a verb requires a wildcard.
      expect(path).toMatch(verb === undefined ? /^\/[\w/:-]+(?:\/\*\w+)?$/ : /^\/[\w/:-]+\/\*\w+$/);
      expect(verb ?? 'none').toMatch(/^\w+$/);
      expect(credentials.length).toBeGreaterThan(0);
      expect(summary).not.toBe('');
    },
  );

  it('prevents imports between protocols', () => {
    for (const folder of folders) {
      const files = readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' });
      const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
      const borrowed = new Set((FOLDERS_WITH_SHARED_ERRORS[folder] ?? []).map((name) => `${name}/index.ts`));
      const imported = sources.flatMap((file) => {
        const source = readFileSync(join(import.meta.dirname, folder, file), 'utf8');
        return [...source.matchAll(/from '(\.[^']*)'/g)].map(([, path = '']) => join(folder, file, '..', path));
      });
      const reachable = new Set([folder, ...SHARED]);
      const neighbors = imported.filter((path) => !reachable.has(path.split('/')[0] ?? '') && !borrowed.has(path));
      expect(neighbors).toEqual([]);
    }
  });
});
