import type { AdminEndpoint } from './admin-endpoint.ts';
import { AUDIT_ENDPOINT } from './audit-endpoint.ts';
import { BATCH_ENDPOINTS } from './batch-endpoints.ts';
import { CONFIG_ENDPOINTS } from './config-endpoints.ts';
import { CONFIGURATION_ENDPOINT } from './configuration-endpoint.ts';
import { FALLBACK_ENDPOINT } from './fallback-endpoint.ts';
import { FILE_ENDPOINT } from './file-endpoint.ts';
import { GROUP_ENDPOINTS } from './group-endpoints.ts';
import { KEY_ENDPOINTS } from './key-endpoints.ts';
import { MODEL_ENDPOINT } from './model-endpoints.ts';
import { OVERVIEW_ENDPOINT } from './overview-endpoint.ts';
import { REQUEST_ENDPOINTS } from './request-endpoints.ts';
import { TASK_ENDPOINTS } from './task-endpoints.ts';
import { UPSTREAM_ENDPOINTS } from './upstream-endpoints.ts';
import { VENDOR_ENDPOINTS } from './vendor-endpoints.ts';
import { WEBHOOK_ENDPOINTS } from './webhook-endpoints.ts';

export const ADMIN_ENDPOINTS: readonly AdminEndpoint[] = [
  ...KEY_ENDPOINTS,
  ...TASK_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  FILE_ENDPOINT,
  ...BATCH_ENDPOINTS,
  ...GROUP_ENDPOINTS,
  OVERVIEW_ENDPOINT,
  ...VENDOR_ENDPOINTS,
  ...UPSTREAM_ENDPOINTS,
  FALLBACK_ENDPOINT,
  MODEL_ENDPOINT,
  CONFIGURATION_ENDPOINT,
  ...CONFIG_ENDPOINTS,
  AUDIT_ENDPOINT,
  ...WEBHOOK_ENDPOINTS,
];
