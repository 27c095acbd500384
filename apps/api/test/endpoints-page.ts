import { CONTRACT_CALLS } from './contract-calls.ts';
import { type Credential, ENDPOINTS } from '@sluice/protocols';
import { ADMIN_ENDPOINTS } from '../src/admin/endpoints.ts';
import type { DocumentedEndpoint } from '../src/operations/openapi.ts';

const CREDENTIALS: Readonly<Record<Credential, string>> = {
  bearer: 'Bearer',
  'x-api-key': '`x-api-key`',
  'x-gen-api-key': '`x-gen-api-key`',
  'key-query': '`?key=`',
};

const HEAD = `# Endpoints

<!-- Generated: \`SLUICE_GOLDEN=write npm test -- endpoints-docs\`. -->

Every path that clients call. \`/openapi.json\` and \`/docs\` of a running gateway describe bodies, responses, and errors.

- **Contract.** Calls marked ✓ are the stable interface: they never change or disappear.
- **Credential.** Every path accepts every credential header; the column names the usual one of its protocol.
- **Aliases.** \`/provider-a/\` and \`/kling/\` are the same paths, and so are \`/provider-b/\` and \`/jimeng/\`. The headers
  \`x-gen-api-key\` and \`x-goog-api-key\` are the same, and so are \`messages-version\` and \`anthropic-version\`.
- **HEAD.** Every \`GET\` path also answers \`HEAD\`.
`;

const NOTES: Readonly<Record<string, string>> = {
  Administration:
    '\nThese calls exist only if an admin key is configured, and accept only that key: [admin API](../operate/admin.md).\n',
};

const TAIL = `
## Operations

These calls need no key: \`GET /health/live\`, \`GET /health/ready\`, \`GET /metrics\`, \`GET /openapi.json\`, \`GET /docs\`.
`;

export function endpointsPage(): string {
  const groups = Map.groupBy<string, DocumentedEndpoint>(
    [...ENDPOINTS, ...ADMIN_ENDPOINTS],
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

/** A path with its parameters in braces, its action suffix, and the query that selects it. */
export function pathOf({ path, verb, select }: Pick<DocumentedEndpoint, 'path' | 'verb' | 'select'>): string {
  const query = select ? `?${select.parameter}=${select.value}` : '';
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`) + query;
}
