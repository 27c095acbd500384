export { buildUpstreams, type Upstreams, type UpstreamsSettings } from './build-upstreams.ts';
export type { FetchedInput } from './http/fetch-input.ts';
export { createGuardedPost } from './http/guarded-post.ts';
export { mayBePublicHost } from './http/public-address.ts';
export { realtimeSocketOf } from './realtime/realtime-socket.ts';
export { UPSTREAM_REGISTRY } from './registry.ts';
export type {
  Capabilities,
  Upstream,
  UpstreamAccount,
  UpstreamKind,
  UpstreamLogger,
  UpstreamTimeouts,
} from './upstream.ts';
