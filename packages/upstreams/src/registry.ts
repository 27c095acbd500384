import type { UpstreamKind } from './upstream.ts';
import { videos } from './videos/index.ts';

/** Every kind of upstream there is. A new kind is a folder and a line here. */
export const UPSTREAM_REGISTRY: readonly UpstreamKind[] = [videos];
