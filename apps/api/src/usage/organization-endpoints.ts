import { defineUsageEndpoint, type UsageEndpoint } from './usage-endpoint.ts';
import { bucketsSchema, parseBucketsQuery } from './organization-query.ts';
import { readBuckets } from './organization-buckets.ts';
import { COSTS, USAGE_KINDS, type UsageKind } from './organization-kinds.ts';
import { pageSchema } from './organization-response.ts';

/** The usage and costs of OpenAI's administration API, for dashboards that read them. */
export const ORGANIZATION_ENDPOINTS: readonly UsageEndpoint[] = [
  ...USAGE_KINDS.map((kind) => endpointOf(kind, `/v1/organization/usage/${kind.path}`)),
  endpointOf(COSTS, '/v1/organization/costs'),
];

function endpointOf(kind: UsageKind, path: `/v1/${string}`): UsageEndpoint {
  const name = kind.path.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  const what = kind.endpoints?.length === 0 ? `${kind.title}, which Sluice does not have: no results` : kind.title;
  return defineUsageEndpoint({
    path,
    operationId: `reportOrganization${name}`,
    summary: kind === COSTS ? "Report costs in OpenAI's format" : `Report usage in OpenAI's format: ${what}`,
    query: bucketsSchema(kind),
    response: { description: 'A page of buckets', content: { 'application/json': pageSchema(kind, name) } },
    serve: async ({ ledger, now }, call) => {
      const query = parseBucketsQuery(kind, call, now());
      const data = await readBuckets(ledger, kind, query);
      const { next } = query;
      return { body: { object: 'page', data, has_more: next !== undefined, next_page: next ?? null } };
    },
  });
}
