import { CONTRACT_CALLS } from './contract-calls.ts';
import { type Credential, ENDPOINTS } from '@sluice/protocols';
import { ADMIN_ENDPOINTS } from '../src/admin/endpoints.ts';
import { MEDIA_TASK_ENDPOINTS } from '../src/media/tasks/task-endpoints.ts';
import { USAGE_ENDPOINTS } from '../src/usage/endpoints.ts';
import type { DocumentedEndpoint } from '../src/operations/documented-endpoint.ts';

const CREDENTIALS: Readonly<Record<Credential, string>> = {
  bearer: 'Bearer',
  'x-api-key': '`x-api-key`',
  'x-gen-api-key': '`x-gen-api-key`',
  'key-query': '`?key=`',
};

const HEAD = `# Endpoints

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- endpoints-docs\`. -->

This page lists every path that clients can call. For bodies, responses, and errors, open \`/openapi.json\` or \`/docs\` of a running gateway.

- **Contract.** A ✓ marks the stable interface. These calls never change or disappear.
- **Credential.** This column shows the usual credential of the protocol. Every path also accepts all other credential headers.
- **Path aliases.** \`/kling/\` is an alias of \`/provider-a/\`, and \`/jimeng/\` of \`/provider-b/\`.
- **Header aliases.** \`x-goog-api-key\` is an alias of \`x-gen-api-key\`, and \`anthropic-version\` of \`messages-version\`.
- **HEAD.** Every path that accepts \`GET\` also accepts \`HEAD\`.
`;

const NOTES: Readonly<Record<string, string>> = {
  tasks:
    '\nEach key reads its own tasks, in all protocols. The admin key reads the tasks of all keys. See [tasks](media.md#all-tasks).\n',
  usage: '\nEach key reads its own usage. The admin key reads the usage of all keys. See [usage reports](usage.md).\n',
  Administration:
    '\nThese calls exist if an admin key or [single sign-on](../operate/console.md#single-sign-on) is configured. They accept the admin key, and sessions of the console. See [admin API](../operate/admin.md).\n',
};

const TAIL = `
## Operations

These calls need no key: \`GET /health/live\`, \`GET /health/ready\`, \`GET /metrics\`, \`GET /openapi.json\`, \`GET /docs\`.
`;

export function endpointsPage(): string {
  const groups = Map.groupBy<string, DocumentedEndpoint>(
    [...ENDPOINTS, ...MEDIA_TASK_ENDPOINTS, ...USAGE_ENDPOINTS, ...ADMIN_ENDPOINTS],
    ({ protocol }) => protocol.name,
  );
  const sections = [...groups].map(([name, endpoints]) =>
    [
      `\n## ${name}\n${NOTES[name] ?? ''}`,
      '| Call | Description | Credential | Body | Contract |',
      '|---|---|---|---|---|',
      ...endpoints.map(rowOf),
      '',
    ].join('\n'),
  );
  return [HEAD, ...sections, TAIL].join('');
}

function rowOf(endpoint: DocumentedEndpoint): string {
  const { method, summary, credentials, body } = endpoint;
  const call = `${method} ${pathOf(endpoint)}`;
  const credential = credentials.map((name) => CREDENTIALS[name]).join(', ');
  const bodies = Object.keys(body?.content ?? {}).map((type) => `\`${type}\``);
  const contract = CONTRACT_CALLS.includes(call) ? '✓' : '';
  return `| \`${call}\` | ${summary} | ${credential} | ${bodies.join(', ') || '–'} | ${contract} |`;
}

/** Returns a path with parameters in braces, an action suffix, and the query that selects the endpoint. */
export function pathOf({ path, verb, select }: Pick<DocumentedEndpoint, 'path' | 'verb' | 'select'>): string {
  const query = select ? `?${select.parameter}=${select.value}` : '';
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`) + query;
}
