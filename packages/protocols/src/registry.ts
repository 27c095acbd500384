import type { Endpoint } from './endpoint.ts';
import { videosEndpoints } from './videos/index.ts';

/** Every route of every client protocol. Adding a protocol is one folder and one line here. */
export const ENDPOINTS: readonly Endpoint[] = [...videosEndpoints];
