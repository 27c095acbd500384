import { ORGANIZATION_ENDPOINTS } from './organization-endpoints.ts';
import { REQUEST_ENDPOINTS } from './request-endpoints.ts';
import { OWN_KEY_ENDPOINT } from './own-key-endpoint.ts';
import type { UsageEndpoint } from './usage-endpoint.ts';
import { USAGE_REPORT } from './usage-report.ts';

export const USAGE_ENDPOINTS: readonly UsageEndpoint[] = [
  USAGE_REPORT,
  ...REQUEST_ENDPOINTS,
  OWN_KEY_ENDPOINT,
  ...ORGANIZATION_ENDPOINTS,
];
