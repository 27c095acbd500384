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

<!-- Written from the code by \`SLUICE_GOLDEN=write npm test -- endpoints-docs\`. -->

Everything that clients call, as the code has it. Any credential is taken on any path, whichever of them is told here. Paths
with \`/provider-a/\` and \`/provider-b/\` are those with \`/kling/\` and \`/jimeng/\`, the header \`x-gen-api-key\` is
\`x-goog-api-key\` too, and every \`GET\` answers \`HEAD\`. Bodies,
answers and errors stand in \`/openapi.json\` and, to be read, at \`/docs\` of a running gateway.
`;

const NOTES: Readonly<Record<string, string>> = {
  Administration: '\nWith the admin key alone, and only where one is configured: [admin.md](../operate/admin.md).\n',
};

const TAIL = `
## Operations

Without a key: \`GET /health/live\`, \`GET /health/ready\`, \`GET /metrics\`, \`GET /openapi.json\`, \`GET /docs\`.
`;

/** The text of docs/use/endpoints.md. */
export function endpointsPage(): string {
  const groups = Map.groupBy<string, DocumentedEndpoint>(
    [...ENDPOINTS, ...ADMIN_ENDPOINTS],
    ({ protocol }) => protocol.name,
  );
  const sections = [...groups].map(([name, endpoints]) =>
    [
      `\n## ${name}\n${NOTES[name] ?? ''}`,
      '| Call | Does | Credential | Takes |',
      '|---|---|---|---|',
      ...endpoints.map(rowOf),
      '',
    ].join('\n'),
  );
  return [HEAD, ...sections, TAIL].join('');
}

function rowOf(endpoint: DocumentedEndpoint): string {
  const { method, summary, credentials, body } = endpoint;
  const told = credentials.map((credential) => CREDENTIALS[credential]).join(', ');
  const takes = Object.keys(body?.content ?? {}).map((type) => `\`${type}\``);
  return `| \`${method} ${pathOf(endpoint)}\` | ${summary} | ${told} | ${takes.join(', ') || '–'} |`;
}

/** A path with its parameters in braces, its verb, and the query that chooses it. */
export function pathOf({ path, verb, select }: Pick<DocumentedEndpoint, 'path' | 'verb' | 'select'>): string {
  const query = select ? `?${select.parameter}=${select.value}` : '';
  return path.replaceAll(/[:*](\w+)/g, '{$1}') + (verb === undefined ? '' : `:${verb}`) + query;
}
