import type { AdminEndpoint } from './admin-endpoint.ts';
import { KEY_ENDPOINTS } from './key-endpoints.ts';
import { TASK_ENDPOINTS } from './task-endpoints.ts';

/** Every endpoint of the admin API. Add a group of endpoints here. */
export const ADMIN_ENDPOINTS: readonly AdminEndpoint[] = [...KEY_ENDPOINTS, ...TASK_ENDPOINTS];
