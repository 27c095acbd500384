export {
  buildUpstreams,
  openUpstreamConnections,
  type UpstreamConnections,
  type Upstreams,
  type UpstreamsSettings,
} from './build-upstreams.ts';
export type { FetchedInput } from './http/guarded/fetch-input.ts';
export { createGuardedPost } from './http/guarded/guarded-post.ts';
export { mayBePublicHost } from './http/guarded/public-address.ts';
export { canListModels, type ListVendorModels } from './model-lists/list-vendor-models.ts';
export { realtimeSocketOf } from './realtime/realtime-socket.ts';
export { UPSTREAM_REGISTRY } from './registry.ts';
export type {
  Capabilities,
  Upstream,
  UpstreamAccount,
  UpstreamKind,
  UpstreamLogger,
  UpstreamTimeouts,
} from './contract/upstream.ts';
